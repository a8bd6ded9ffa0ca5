import type { Expectation } from "@oven/contract/eval";
import type { SeenRun } from "./seen-run.ts";
import { type Verdict, verdict } from "./verdict.ts";

type Of<Type extends Expectation["type"]> = Extract<Expectation, { type: Type }>;

export function checkStatus({ status, outcome, error }: Of<"status">, { execution }: SeenRun): Verdict {
  const seen = { status: execution.status, outcome: execution.outcome, error: execution.error?.code ?? null };
  const passed =
    seen.status === status &&
    (outcome === undefined || seen.outcome === outcome) &&
    (error === undefined || seen.error === error);
  const wanted = [status, outcome, error].filter((part) => part !== undefined).join(", ");
  return verdict(passed, seen, `Expected ${wanted}`);
}

export function checkPaused({ node, tool }: Of<"paused">, { waiting, execution }: SeenRun): Verdict {
  const found = waiting.some(
    (review) => (node === undefined || review.node === node) && (tool === undefined || review.tool === tool),
  );
  const where = node ?? tool;
  const reason = `The run is ${execution.status} and does not wait for a person${where === undefined ? "" : ` at ${where}`}`;
  return verdict(found, { status: execution.status, waiting }, reason);
}

export function checkAtMost({ measure, value }: Of<"atMost">, { execution }: SeenRun): Verdict {
  const seen = execution[measure];
  return verdict(seen <= value, seen, `${measure} is ${seen}, more than ${value}`);
}
