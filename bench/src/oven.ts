import { connectDatabase } from "../../packages/db/src/index.ts";
import { installedModules } from "../../packages/installation/src/modules.ts";
import { createRuntime } from "../../packages/module-registry/src/index.ts";
import { startTestOven } from "../../packages/testing/src/index.ts";
import { EFFECT_STEP, effectStepModule } from "../../tooling/src/scale/effect-step.ts";
import { LOOP_STEPS, measure, NODES, print, text } from "./measure.ts";

/*
 * OVEN under the same workload: `node bench/src/oven.ts <postgres URL>`, or `"" <directory>` for the embedded database. It uses the
 * sources of this repository, so it needs no package of this workspace. Its steps are taken for calls to the outside, as those of
 * the peers are; with `computing` as the last argument they are steps that only compute.
 */
const url = process.argv[2] === "" ? undefined : process.argv[2];
const isComputing = process.argv.at(-1) === "computing";
const src = isComputing ? "core.transform" : EFFECT_STEP;
const db = await connectDatabase({ url, dataDir: process.argv[3] ?? "" });
const oven = await startTestOven({
  createRuntime,
  db,
  modules: [...installedModules({ demo: false }), effectStepModule],
  environment: { production: true },
});

const states: Record<string, object> = { done: { type: "final" } };
for (let node = 0; node < NODES; node++) {
  const onDone = node === NODES - 1 ? "done" : `s${node + 1}`;
  states[`s${node}`] = {
    invoke: { src, input: { mapping: { node, text: text(node, 150) } }, onDone },
  };
}
const loop = {
  initial: "step",
  maxSteps: LOOP_STEPS + 10,
  context: { count: 0 },
  states: {
    step: {
      invoke: {
        src,
        input: { mapping: { content: `{{ $.count }} ${text(1, 1_024)}` } },
        onDone: [
          {
            target: "done",
            guard: { type: "condition", params: { key: "$.count", operator: ">=", value: LOOP_STEPS - 1 } },
          },
          {
            target: "step",
            actions: [
              { type: "assign", params: { path: "$.count", add: 1 } },
              {
                type: "assign",
                params: { path: "$.messages", append: { role: "user", content: "$.step_output.content" } },
              },
            ],
          },
        ],
      },
    },
    done: { type: "final" },
  },
};
for (const [name, definition] of Object.entries({ linear: { initial: "s0", states }, loop })) {
  const { status, body } = await oven.call("POST", "workflows", { name, definition });
  if (status !== 201) throw new Error(JSON.stringify(body));
}
const run = async (name: string) => {
  const { body } = await oven.call("POST", `workflows/${name}/execute?wait=60`, { input: {} });
  if (body.status !== "completed") throw new Error(`${name}: ${JSON.stringify(body)}`);
};

const database = url === undefined ? "embedded (PGlite)" : "PostgreSQL";
const system = `OVEN, ${database}${isComputing ? ", steps that only compute" : ""}`;
print(await measure({ system, runLinear: () => run("linear"), runLoop: () => run("loop") }));
await oven.stop();
await db.close();
process.exit(0);
