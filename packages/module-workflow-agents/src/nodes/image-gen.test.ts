import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const requests: { path: string | undefined; body: unknown }[] = [];
const painter = createServer(async (request, response) => {
  const body = (await json(request)) as { n: number };
  requests.push({ path: request.url, body });
  const data = Array.from({ length: body.n }, () => ({ b64_json: PNG.toString("base64") }));
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ created: 1, data }));
});
let oven: AgentOven;

beforeAll(async () => {
  painter.listen(0, "127.0.0.1");
  await once(painter, "listening");
  const origin = `http://127.0.0.1:${(painter.address() as AddressInfo).port}`; // cast: it listens on TCP
  oven = await startAgentOven([], { outboundAllow: [origin] });
  const provider = { id: "painter", title: "Painter", kind: "openai-compatible", baseUrl: `${origin}/v1` };
  const made = await oven.call("POST", "ai-providers", provider);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
});

afterAll(async () => {
  await oven.stop();
  painter.close();
});

async function draw(input: object) {
  const definition = {
    initial: "draw",
    states: {
      draw: { invoke: { src: "agent.imageGen", input, onDone: "done" } },
      done: { type: "final", output: "$.draw_output" },
    },
  };
  const { body } = await oven.call("POST", "agent-workflows", { name: "Draws", definition });
  return (await oven.call("POST", `agent-workflows/${body.id}/execute?wait=20`, { input: { bread: "rye" } })).body;
}

test("[004-065] [004-067] images are kept with the run: the context has references, and opening one shows the picture", async () => {
  const model = "painter:pictures";
  const run = await draw({ prompt: "A loaf of {{ $.trigger.bread }}", model, size: "512x512", count: 2 });
  expect(run, JSON.stringify(run.errorInfo)).toMatchObject({
    status: "completed",
    simulated: false,
    output: { model, image: { mediaType: "image/png", bytes: PNG.length, summary: "A loaf of rye" } },
  });
  expect(requests).toMatchObject([
    { path: "/v1/images/generations", body: { model: "pictures", prompt: "A loaf of rye", n: 2, size: "512x512" } },
  ]);
  expect(run.output.images).toHaveLength(2);
  const shown = await oven.fetch(`blobs/${run.output.images[1].$blob}`);
  expect(shown.headers.get("content-type")).toContain("image/png");
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG);
  const [usage] = (await oven.call("GET", `ai-usage-logs?filter={"executionId":${run.id}}`)).body;
  expect(usage).toMatchObject({ operation: "image", modelId: "pictures", nodeId: "draw", status: "ok" });
});

test("without a model that makes images a labelled picture is made, for nothing", async () => {
  const run = await draw({ prompt: "A loaf", model: "simulated:image", seed: 1 });
  const output = { model: "simulated:image" };
  expect(run).toMatchObject({ status: "completed", costMicros: 0, simulated: true, output });
  const shown = await oven.fetch(`blobs/${run.output.image.$blob}`);
  expect(
    Buffer.from(await shown.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
});

test("what a model cannot do with a setting fails the step before anything is paid", async () => {
  const run = await draw({ prompt: "A loaf", model: "painter:pictures", aspectRatio: "16:9" });
  expect(run).toMatchObject({ status: "failed", errorInfo: { code: "IMAGE_OPTION_UNSUPPORTED" } });
});

test("POST ai/images makes and keeps images of no run: references, what it cost, and who may open them", async () => {
  requests.length = 0;
  const body = { prompt: "A loaf", model: "painter:pictures", count: 2, size: "512x512" };
  const made = await oven.call("POST", "ai/images", body);
  expect(made).toMatchObject({
    status: 200,
    body: { model: { providerId: "painter", modelId: "pictures" }, costMicros: 0, warnings: [] },
  });
  expect(requests).toMatchObject([{ body: { prompt: "A loaf", n: 2, size: "512x512" } }]);
  const [image] = made.body.images;
  expect(made.body.images).toHaveLength(2);
  const shown = await oven.fetch(`blobs/${image.$blob}`);
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG);
  const stranger = await oven.keyFor("owner", 2);
  expect((await oven.call("GET", `blobs/${image.$blob}`, undefined, { key: stranger })).status).toBe(404);
  const [usage] = (await oven.call("GET", 'ai-usage-logs?sort=["id","DESC"]')).body;
  expect(usage).toMatchObject({ operation: "image", modelId: "pictures", executionId: null, status: "ok" });
});

test.each([
  [{ prompt: "" }, 400],
  [{ prompt: "x", count: 11 }, 400],
  [{ prompt: "x", size: "big" }, 400],
  [{ prompt: "x", bytes: 1 }, 400],
  [{ prompt: "x", model: "painter:pictures", aspectRatio: "16:9" }, 422],
  [{ prompt: "x", model: "nobody:pictures" }, 422],
])("POST ai/images refuses %j and keeps nothing", async (body, status) => {
  const count = () => oven.db.query("select id from run_blobs");
  const before = await count();
  requests.length = 0;
  expect((await oven.call("POST", "ai/images", body)).status).toBe(status);
  expect(requests).toEqual([]);
  expect(await count()).toEqual(before);
});

test("POST ai/images needs the permission to ask models", async () => {
  const key = await oven.keyFor("viewer");
  const refused = await oven.call("POST", "ai/images", { prompt: "x", model: "simulated:image" }, { key });
  expect(refused).toMatchObject({ status: 403, body: { error: { details: { permission: "ai.generate" } } } });
});
