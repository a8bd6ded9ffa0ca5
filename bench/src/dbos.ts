import { DBOS } from "@dbos-inc/dbos-sdk";
import { LOOP_STEPS, measure, NODES, print, text } from "./measure.ts";

DBOS.setConfig({ name: "bench", systemDatabaseUrl: process.argv[2] ?? "", logLevel: "error", runAdminServer: false });
const linear = DBOS.registerWorkflow(
  async () => {
    for (let node = 0; node < NODES; node++)
      await DBOS.runStep(async () => ({ node, text: text(node, 150) }), { name: `s${node}` });
  },
  { name: "linear" },
);
const loop = DBOS.registerWorkflow(
  async () => {
    for (let step = 0; step < LOOP_STEPS; step++) {
      await DBOS.runStep(async () => ({ role: "user", content: text(step, 1_024) }), { name: "step" });
    }
  },
  { name: "loop" },
);
await DBOS.launch();
print(
  await measure({
    system: "DBOS 5.3.0",
    runLinear: async () => {
      await (await DBOS.startWorkflow(linear)()).getResult();
    },
    runLoop: async () => {
      await (await DBOS.startWorkflow(loop)()).getResult();
    },
  }),
);
await DBOS.shutdown();
