import { makePdf, SCANNER_PICTURES } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OvenProcess, startOven } from "./oven-process.ts";

/* What the built server starts beside itself, or reads from where it stands: each has files of its own, which a build can lose. */
let oven: OvenProcess;

beforeAll(async () => {
  oven = await startOven();
});

afterAll(async () => {
  await oven.kill("SIGTERM");
});

/** Runs one step of code and answers its result. */
async function run(id: string, input: object): Promise<unknown> {
  const definition = {
    initial: "compute",
    states: {
      compute: { invoke: { src: "core.code", input, onDone: "done" } },
      done: { type: "final", output: "$.compute_output.result" },
    },
  };
  const { status } = await oven.call("POST", "workflows", { slug: id, name: id, definition });
  expect(status).toBe(201);
  const { body } = await oven.call("POST", `workflows/${id}/execute?wait=60`, { input: {} });
  return body;
}

it.each([
  ["javascript", "return [1, 2].map((n) => n * factor);"],
  ["python", "[n * factor for n in [1, 2]]"],
])("runs code in %s in a process of its own", async (language, code) => {
  expect(await run(`code-${language}`, { language, code, inputs: { factor: 21 } })).toMatchObject({
    status: "completed",
    output: [21, 42],
  });
});

it("reads another product's file in a thread of its own", async () => {
  const source = JSON.stringify({
    name: "Hello",
    nodes: [
      { name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: [0, 0], parameters: {} },
      { name: "Nothing", type: "n8n-nodes-base.noOp", typeVersion: 1, position: [200, 0], parameters: {} },
    ],
    connections: { Start: { main: [[{ node: "Nothing", type: "main", index: 0 }]] } },
  });
  const { status, body } = await oven.call("POST", "workflow-imports/preview", { source });
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain("Nothing");
});

it("reads a scanned page, with pictures and letters, and finds it by meaning", async () => {
  await oven.call("POST", "vector-stores", { name: "Library", slug: "library", embeddingModel: "local:use-lite" });
  const [scan] = SCANNER_PICTURES;
  if (scan === undefined) throw new Error("there is no scan");
  const data = Buffer.from(makePdf(["The whale sings below the ice.", scan])).toString("base64");
  const document = { key: "scan", title: "Scan", mediaType: "application/pdf", data, recognizeText: true };
  const added = await oven.call("POST", "vector-stores/library/documents", document);
  expect(added.status).toBe(202);
  const path = `vector-stores/library/documents/${added.body.id}`;
  await expect.poll(async () => (await oven.call("GET", path)).body.status).toMatch(/ready|failed/);
  expect((await oven.call("GET", path)).body).toMatchObject({ status: "ready", recognition: { done: 1, pages: [2] } });
  const { body } = await oven.call("POST", "vector-stores/library/query", {
    query: "a song of an animal in the sea",
    topK: 1,
  });
  expect(body.matches[0].text).toContain("whale");
});

it("has the guides and the pages of errors beside it", async () => {
  const tools = async (id: string, input: object) =>
    (await oven.call("POST", `tools/${id}/call`, { arguments: input })).body;
  expect(JSON.stringify(await tools("definitions.guide", { topic: "loops" }))).toContain("forEach");
  expect(JSON.stringify(await tools("errors.explain", { code: "CODE_TIMEOUT" }))).toContain("timeoutMs");
});
