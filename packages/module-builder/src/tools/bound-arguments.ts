import { type JsonObject, OvenError } from "@oven/contract";
import { changedSteps } from "@oven/module-workflow-agents";
import { type Desk, readDraft } from "../desks/desk.ts";
import type { DeskRow } from "../desks/desk-rows.ts";
import { BOUND_TOOLS, WITHHELD } from "./tool-list.ts";

/** Whether a tool is for the workflow of its run alone. */
export function isBound(name: string): boolean {
  return name === "check_draft" || BOUND_TOOLS.some((bound) => bound === name);
}

/**
 * The arguments of a call with the workflow of the run, where they name none.
 * @throws OvenError FORBIDDEN for another workflow, INVALID_REQUEST for what the builder may not ask for
 */
export function bindArguments(name: string, given: JsonObject, { workflowId, slug }: DeskRow): JsonObject {
  for (const member of WITHHELD[name] ?? []) {
    if (given[member] === undefined || (member === "dry_run" && given[member] === true)) continue;
    throw new OvenError("INVALID_REQUEST", `The builder tries drafts without any effect: ${member} cannot be set`, {
      path: `$.${member}`,
      fix: `Leave ${member} out.`,
    });
  }
  const named = given.workflow_id;
  const isOwn =
    named === undefined || named === null || named === workflowId || named === String(workflowId) || named === slug;
  if (!isOwn && isBound(name))
    throw new OvenError(
      "FORBIDDEN",
      `This conversation is about workflow ${workflowId}: no other one is changed or run`,
      {
        status: 403,
        path: "$.workflow_id",
        fix: `Leave workflow_id out, or send ${workflowId}.`,
      },
    );
  return { ...given, workflow_id: isOwn ? workflowId : named };
}

/**
 * Arguments of `change_steps` for the draft as it is now. What a person has changed meanwhile is left as it is; what both change is refused.
 * @throws OvenError STALE_DRAFT 409 with the states, so that they are read again
 */
export async function rebaseEdits(given: JsonObject, { row, ask }: Desk): Promise<JsonObject> {
  const { draft_revision: _seen, ...edits } = given;
  const now = await readDraft(ask, row.workflowId);
  if (now.revision === row.seenRevision) return { ...edits, draft_revision: now.revision };
  const mine = new Set([...keysOf(edits.put), ...namesIn(edits.remove)]);
  const steps = changedSteps(row.seen, now.definition).filter((id) => mine.has(id));
  const settings = keysOf(edits.settings).filter(
    (key) => JSON.stringify(row.seen[key]) !== JSON.stringify(now.definition[key]),
  );
  const both = [...steps, ...settings];
  if (both.length === 0) return { ...edits, draft_revision: now.revision };
  throw new OvenError("STALE_DRAFT", `A person has changed ${both.join(", ")} since you read the draft`, {
    status: 409,
    fix: "Read them with read_steps, and change them as the person would want them.",
    details: { steps, settings, revision: now.revision },
  });
}

function keysOf(value: JsonObject[string] | undefined): string[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function namesIn(value: JsonObject[string] | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
