import { getOwn, OvenError } from "@oven/contract";
import type { WriteSessionStateSchema } from "@oven/contract/formats/sessions.ts";
import { suggest } from "@oven/engine";
import type { z } from "zod";
import { refuseProblems, type SourceProblem } from "../../shared/source-problem.ts";
import type { InnerStatus, SessionContext } from "./session-context.ts";

export type WrittenState = z.output<typeof WriteSessionStateSchema>;

/** What a session is written to. */
export interface WriteTarget {
  id: string;
  /** Of the graph that it goes on with, in its order. */
  steps: readonly string[];
  /** Those of them that ask the user. */
  asking: ReadonlySet<string>;
}

/** @throws OvenError SOURCE_INVALID 422 with the path of what is of another session, or of no step */
export function checkWrite(written: WrittenState, { id, steps, asking }: WriteTarget): void {
  const problems: SourceProblem[] = [];
  if (written.id !== id)
    problems.push({ path: "$.id", message: `${written.id} is another session's id`, fix: `Write ${id}.` });
  const known = (step: string, path: string) => {
    if (steps.includes(step)) return;
    problems.push({ path, message: `There is no step ${step}`, fix: suggest(step, steps, "Take it out.") });
  };
  for (const [step, { status }] of Object.entries(written.workflow)) {
    known(step, `$.workflow.${step}`);
    if (status === "awaiting_input" && steps.includes(step) && !asking.has(step))
      problems.push({
        path: `$.workflow.${step}.status`,
        message: `${step} asks for no input`,
        fix: "Write active, and it runs.",
      });
  }
  for (const step of Object.keys(written.data.outputs)) known(step, `$.data.outputs.${step}`);
  refuseProblems(problems);
}

const AT_WORK: ReadonlySet<InnerStatus> = new Set(["active", "pending", "awaiting_input", "follow"]);

/** A session's state once that was written: what became active starts, what became complete is gone on from. @param now seconds since 1970 */
export function toWritten(
  before: SessionContext,
  written: WrittenState,
  { steps, now }: { steps: readonly string[]; now: number },
): SessionContext {
  const after: SessionContext = {
    steps: {},
    outputs: {},
    errors: {},
    messages: written.data.messages,
    queue: [],
    moves: before.moves,
    written: before.written,
    written_at: now,
  };
  for (const step of steps) {
    const said = getOwn(written.workflow, step);
    const status = toStatus(getOwn(before.steps, step) ?? "none", said?.status ?? "none");
    after.steps[step] = status;
    if (status === "active" && getOwn(before.steps, step) !== "active") after.queue.push(step);
    after.outputs[step] = getOwn(written.data.outputs, step) ?? [];
    after.errors[step] = said?.error ?? "";
  }
  const rests = Object.values(after.steps).every((status) => !AT_WORK.has(status));
  if (rests && after.steps.root === "none") {
    after.steps.root = "active";
    after.queue.push("root");
  }
  return after;
}

function toStatus(before: InnerStatus, said: InnerStatus): InnerStatus {
  if (said === before) return said;
  if (said === "complete") return "follow";
  // One that runs is not started again because somebody saw it wait.
  if (said === "pending" && before === "active") return "active";
  return said === "pending" || said === "awaiting_input" ? "active" : said;
}

export function sessionChanged(): OvenError {
  return new OvenError("SESSION_CHANGED", "The session has moved on since its state was read", {
    status: 409,
    path: "$.last_evaluated",
    fix: "Read the state again, and write your change into that one.",
  });
}
