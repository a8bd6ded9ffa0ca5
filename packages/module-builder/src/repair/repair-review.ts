import type { Json, JsonObject } from "@oven/contract";
import { type ReviewRequest, ReviewRequestSchema } from "@oven/contract/node";
import { compareDefinitions, type RepairEvidence } from "@oven/contract/workflow";
import { contentHash } from "@oven/engine";
import type { ProposalRow } from "./builder-proposals.table.ts";
import { toEvidenceWords } from "./repair-words.ts";

/** Characters of one value, and lines, in the list of changes. The page of the repair has all of it. */
const MOST_SHOWN = 400;
const MOST_CHANGES = 40;

type Proved = ProposalRow & { definition: JsonObject; evidence: RepairEvidence };

/** What a person is asked about a proved proposal. */
export function toReviewRequest(row: Proved, before: JsonObject, publicUrl: string): ReviewRequest {
  const { definition, evidence, failure, workflowName, baseVersion, runIds, explanation, executionId } = row;
  const changes = toChanges(before, definition);
  const { notProved, ...found } = toEvidenceWords(evidence);
  return ReviewRequestSchema.parse({
    title: `Repair ${workflowName}: ${failure.code}${failure.nodeId === null ? "" : ` at ${failure.nodeId}`}`,
    proposal: {
      workflow: `${workflowName}, version ${baseVersion}`,
      changes: changes.slice(0, MOST_CHANGES),
      ...(changes.length > MOST_CHANGES ? { furtherChanges: changes.length - MOST_CHANGES } : {}),
      whenApproved: `It is published as the next version, and runs ${runIds.join(", ")} are tried again on it.`,
      definitionHash: contentHash(definition),
    },
    context: {
      page: `${publicUrl}/repairs/${executionId}`,
      failure: `${failure.code}: ${failure.message}`,
      assistant: explanation ?? "",
      ...found,
      notProved: notProved.length === 0 ? "Nothing is left open." : notProved.join("\n"),
    },
    actions: ["approve", "reject"],
  });
}

interface ShownChange extends JsonObject {
  step: string;
  what: string;
  before: string;
  after: string;
}

/** One line for each value that differs; what is added or removed as a whole is one line. */
function toChanges(from: JsonObject, to: JsonObject): ShownChange[] {
  const { added, removed, changed, moved, settings } = compareDefinitions(from, to);
  return [
    ...removed.map((step) => ({ step, what: "removed", before: "", after: "" })),
    ...added.map((step) => ({ step, what: "added", before: "", after: shown(stateOf(to, step)) })),
    ...changed.map(({ stateId: step, path: what, ...sides }) => ({ step, what, ...toSides(sides) })),
    ...moved.map(({ stateId: step, from: before, to: after }) => ({
      ...{ step, what: "moved", before: before ?? "", after: after ?? "" },
    })),
    ...settings.map(({ path: what, ...sides }) => ({ step: "", what, ...toSides(sides) })),
  ];
}

function toSides({ from, to }: { from?: Json | undefined; to?: Json | undefined }): { before: string; after: string } {
  return { before: shown(from), after: shown(to) };
}

function shown(value: Json | undefined): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}

/** A state at the top; others are shown on the page. */
function stateOf({ states }: JsonObject, id: string): Json | undefined {
  return typeof states === "object" && states !== null && !Array.isArray(states) ? states[id] : undefined;
}
