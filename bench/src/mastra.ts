import { Mastra } from "@mastra/core";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { PostgresStore } from "@mastra/pg";
import { z } from "zod";
import { LOOP_STEPS, measure, NODES, print, text } from "./measure.ts";

const Output = z.object({ node: z.number(), text: z.string() });
// biome-ignore lint/suspicious/noExplicitAny: the builder's type grows with every step that is added in a loop
let linear: any = createWorkflow({ id: "linear", inputSchema: Output, outputSchema: Output });
for (let node = 0; node < NODES; node++) {
  linear = linear.then(
    createStep({
      id: `s${node}`,
      inputSchema: Output,
      outputSchema: Output,
      execute: async () => ({ node, text: text(node, 150) }),
    }),
  );
}
linear = linear.commit();

const Messages = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const step = createStep({
  id: "step",
  inputSchema: Messages,
  outputSchema: Messages,
  execute: async ({ inputData }) => ({
    messages: [...inputData.messages, { role: "user", content: text(inputData.messages.length, 1_024) }],
  }),
});
const loop = createWorkflow({ id: "loop", inputSchema: Messages, outputSchema: Messages })
  .dountil(step, async ({ inputData }) => inputData.messages.length >= LOOP_STEPS)
  .commit();

const storage = new PostgresStore({ id: "bench", connectionString: process.argv[2] ?? "" });
const mastra = new Mastra({ workflows: { linear, loop }, storage, logger: false });
const start = async (name: "linear" | "loop", inputData: object) => {
  const run = await mastra.getWorkflow(name).createRun();
  const result = await run.start({ inputData: inputData as never });
  if (result.status !== "success") throw new Error(`mastra: ${JSON.stringify(result)}`);
};
print(
  await measure({
    system: "Mastra 1.71.0 + @mastra/pg",
    runLinear: () => start("linear", { node: 0, text: "" }),
    runLoop: () => start("loop", { messages: [] }),
  }),
);
process.exit(0);
