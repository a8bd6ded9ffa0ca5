import { runInNewContext } from "node:vm";
import type { Json, JsonObject } from "@oven/contract";
import { EngineHarness, type ScriptedNode } from "@oven/engine/testing";
import type { NodeContext } from "@oven/module-registry";
import type { ForeignDraft } from "../read-foreign.ts";
import { productNodes } from "./node-catalog.ts";

/** How a run ended, in the words of the product that the document is of. */
export interface RunResult {
  status: "completed" | "failed";
  /** What it failed with. */
  error?: string;
  /** Undefined: it is not compared. */
  output: Json | undefined;
  /** What each step that ran has handed on, by name, each time that it ran. */
  steps: ReadonlyMap<string, readonly Json[]>;
}

/** Nodes that need nothing but their input. */
const OWN = ["core.transform", "core.fail"];

/**
 * JavaScript that an importer has written, in this process: that of the sandbox takes real time, and the clock of these runs does not wait.
 * Tests of the importers run such steps in the sandbox.
 */
const CODE: ScriptedNode = {
  ...{ effect: "pure", isLocal: true, verbatim: ["code"] },
  run: ({ input }) => {
    const { code, inputs = {} } = input as { code: string; inputs?: JsonObject }; // cast: the draft was validated
    const names = Object.keys(inputs);
    const source = `JSON.stringify((({ ${names.join(", ")} }) => {\n${code}\n})(${JSON.stringify(inputs)}))`;
    return { type: "done", output: { result: JSON.parse(runInNewContext(source) as string), logs: [] } }; // cast: it is JSON
  },
};

/** The real nodes, as far as they run by themselves. */
async function ownNodes(): Promise<Record<string, ScriptedNode>> {
  const nodes = await productNodes();
  const entries = OWN.map((id): [string, ScriptedNode] => {
    const node = nodes.get(id);
    if (node === undefined || !("run" in node)) throw new Error(`${id} is not there`);
    const { effect, isLocal = false, endsRun = false, retry, input } = node;
    return [
      id,
      {
        ...{ effect, isLocal, endsRun, input },
        ...(retry === undefined ? {} : { retry }),
        // cast: these nodes read nothing else
        run: async (call) => node.run({ input: call.input } as NodeContext<Record<string, unknown>>),
      },
    ];
  });
  return { ...Object.fromEntries(entries), "core.code": CODE };
}

/**
 * Runs the definition of a draft on the engine.
 * @param placeholder stands in for the placeholders of a draft that has some
 */
export async function runImported(
  { definition, report }: ForeignDraft,
  input: JsonObject,
  placeholder?: ScriptedNode,
): Promise<RunResult> {
  const nodes = await ownNodes();
  const more: Record<string, ScriptedNode> = placeholder === undefined ? {} : { "core.placeholder": placeholder };
  const harness = new EngineHarness(definition, { ...nodes, ...more });
  const id = await harness.execute(input);
  const { status, output, errorInfo } = harness.columns(id);
  if (status !== "completed" && status !== "failed") throw new Error(`the run is ${status}`);
  const { rows: all } = harness.store.run(id);
  const ran = Map.groupBy(
    all.filter(({ nodeType }) => Object.hasOwn(nodes, nodeType) || Object.hasOwn(more, nodeType)),
    ({ nodeId }) => nodeId,
  );
  const steps = report.elements.flatMap(({ name, state }): [string, Json[]][] => {
    const rows = state === null ? undefined : ran.get(state);
    return rows === undefined ? [] : [[name, rows.map((row) => row.output)]];
  });
  const error = errorInfo === null ? {} : { error: errorInfo.message };
  return { status, ...error, output, steps: new Map(steps) };
}
