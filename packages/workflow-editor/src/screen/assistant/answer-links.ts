/** Where a link in an answer of the assistant leads: to a step on the canvas, to a run, or elsewhere. */
export type AnswerLink = { to: "step"; id: string } | { to: "run"; id: number } | { to: "elsewhere" };

const STEP = /^#step:(.+)$/;
const RUN = /^(?:#run:|\/agent-workflow-executions\/)(\d{1,15})(?:\/show)?$/;

/** Reads `#step:classify`, `#run:12` and the path of a run. */
export function readAnswerLink(href: string): AnswerLink {
  const step = STEP.exec(href)?.[1];
  if (step !== undefined) {
    try {
      return { to: "step", id: decodeURIComponent(step) };
    } catch {
      // Not percent-encoded: the name as it stands.
      return { to: "step", id: step };
    }
  }
  const run = RUN.exec(href)?.[1];
  return run === undefined ? { to: "elsewhere" } : { to: "run", id: Number(run) };
}
