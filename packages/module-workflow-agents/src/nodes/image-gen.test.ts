import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";
import { imageGenNode } from "./image-gen.node.ts";
import { createNodeContext } from "./testing/node-context.ts";

let oven: AgentOven;

beforeAll(async () => {
  oven = await startAgentOven([]);
});

afterAll(() => oven.stop());

test("[004-067] images are kept with the run: the context has references, and opening one shows the picture", async () => {
  const definition = {
    initial: "draw",
    states: {
      draw: {
        invoke: {
          src: "agent.imageGen",
          input: {
            prompt: "A loaf of {{ $.trigger.bread }}",
            model: "openai:pictures",
            size: "512x512",
            count: 2,
            seed: 7,
          },
          onDone: "done",
        },
      },
      done: { type: "final", output: "$.draw_output" },
    },
  };
  const { body } = await oven.call("POST", "agent-workflows", { name: "Draws", definition });
  const run = await oven.call("POST", `agent-workflows/${body.id}/execute?wait=20`, { input: { bread: "rye" } });
  expect(run.body, JSON.stringify(run.body.errorInfo)).toMatchObject({
    status: "completed",
    costMicros: 40_000,
    tokenUsage: { total: 3 },
    output: { model: "pictures:one", image: { mediaType: "image/png", bytes: 5, summary: "A loaf of rye" } },
  });
  expect(oven.pictured).toEqual([
    expect.objectContaining({ prompt: "A loaf of rye", model: "openai:pictures", size: "512x512", count: 2, seed: 7 }),
  ]);
  expect(oven.pictured[0]).toMatchObject({ caller: { executionId: run.body.id, nodeId: "draw", tenantId: 1 } });
  const { images } = run.body.output;
  expect(images).toHaveLength(2);
  const shown = await oven.fetch(`blobs/${images[1].$blob}`);
  expect(shown.headers.get("content-type")).toContain("image/png");
  expect([...new Uint8Array(await shown.arrayBuffer())]).toEqual([137, 80, 78, 71, 1]);
});

test("where nothing makes images the step says so", async () => {
  const context = createNodeContext(imageGenNode, {
    input: { prompt: "A loaf" },
    services: { ai: {} as never }, // cast: a models' service without images
  });
  await expect(imageGenNode.run(context)).rejects.toMatchObject({ code: "NODE_UNAVAILABLE" });
});
