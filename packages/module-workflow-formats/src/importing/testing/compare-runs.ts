import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@oven/contract";
import type { ScriptedNode } from "@oven/engine/testing";
import { readForeign } from "../read-foreign.ts";
import { Random } from "./random.ts";
import { type RunResult, runImported } from "./run-imported.ts";

/** What the source product does is not said exactly, or is documented to differ here. */
export class Ambiguous extends Error {}

/** A generated document with an input, and what its product does with them. */
export interface GeneratedRun {
  document: JsonObject;
  input: JsonObject;
  /** What the product does. @throws Ambiguous */
  reference(): RunResult;
  /** Stands in for placeholders; absent: documents with placeholders are not run. */
  placeholder?: ScriptedNode;
  /** Whether the JavaScript that its importer writes is run, too. */
  runsCode?: boolean;
  /** Takes out of a result what is not compared. */
  compared?(result: RunResult): unknown;
}

export interface RunGenerator {
  product: string;
  generateRun(random: Random): GeneratedRun;
}

export interface RunsReport {
  product: string;
  /** Cases that ran here and there. */
  compared: number;
  /** Steps that ran in them. */
  steps: number;
  failedRuns: number;
  /** Cases that were not compared, by reason. */
  left: Record<string, number>;
  differences: { seed: number; expected: unknown; found: unknown; document: JsonObject; input: JsonObject }[];
}

/** Runs generated documents here and by the reference of their product; case `n` is that of the seed `seed + n` alone. */
export async function compareRuns(
  { product, generateRun }: RunGenerator,
  seed: number,
  count: number,
): Promise<RunsReport> {
  const report: RunsReport = { product, compared: 0, steps: 0, failedRuns: 0, left: {}, differences: [] };
  const leave = (why: string) => {
    report.left[why] = (report.left[why] ?? 0) + 1;
  };
  for (let own = seed; own < seed + count; own += 1) {
    const run = generateRun(new Random(own));
    const expected = expectedOf(run);
    if (expected instanceof Ambiguous) {
      leave(expected.message.replaceAll(/\$\S+/g, "…"));
      continue;
    }
    const draft = await readForeign(JSON.stringify(run.document));
    if (run.runsCode !== true && JSON.stringify(draft.definition).includes('"core.code"')) {
      leave("it runs code");
      continue;
    }
    const open = draft.report.elements.find(
      ({ outcome, type }) => outcome === "placeholder" && (run.placeholder === undefined || /several/.test(type)),
    );
    if (open !== undefined) {
      leave(
        `placeholder: ${open.notes
          .join()
          .replaceAll(/“[^”]*”|\{\{.*\}\}/g, "…")
          .replace(/goes on to .* at once/, "goes on to … at once")
          .slice(0, 100)}`,
      );
      continue;
    }
    const found = await runImported(draft, run.input, run.placeholder);
    const compared = (result: RunResult) =>
      (run.compared ?? same)({ ...result, output: expected.output === undefined ? undefined : result.output });
    report.compared += 1;
    report.steps += expected.steps.size;
    if (expected.status === "failed") report.failedRuns += 1;
    const [wanted, got] = [compared(expected), compared(found)];
    if (!isDeepStrictEqual(wanted, got))
      report.differences.push({ seed: own, expected: wanted, found: got, document: run.document, input: run.input });
  }
  return report;
}

const same = (result: RunResult): unknown => result;

function expectedOf(run: GeneratedRun): RunResult | Ambiguous {
  try {
    return run.reference();
  } catch (error) {
    if (error instanceof Ambiguous) return error;
    throw error;
  }
}

/** Maps are written as objects. */
export const plain = (_key: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;
