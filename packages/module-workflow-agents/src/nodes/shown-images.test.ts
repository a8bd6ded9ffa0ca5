import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";

const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from("the picture")]);
const GIF = Buffer.from("GIF89a another");
let fetched: string[] = [];
/** Says of everything that it is text. */
const gallery = createServer((request, response) => {
  const url = request.url ?? "";
  fetched.push(url);
  if (url === "/gone.png") response.writeHead(404).end();
  else if (url === "/large.png") response.end(Buffer.alloc(4_194_305));
  else
    response.writeHead(200, { "content-type": "text/plain" }).end(url === "/a.png" ? PNG : "<html>no picture</html>");
});
let origin = "";
let oven: AgentOven;

beforeAll(async () => {
  gallery.listen(0, "127.0.0.1");
  await once(gallery, "listening");
  origin = `http://127.0.0.1:${(gallery.address() as AddressInfo).port}`; // cast: it listens on TCP
  oven = await startAgentOven(() => ({ text: "A cat." }), { outboundAllow: [origin] });
});
beforeEach(() => {
  fetched = [];
  oven.server.requests.length = 0;
});
afterAll(async () => {
  await oven.stop();
  gallery.close();
});

const dataUrl = (data: Buffer) => `data:image/any;base64,${data.toString("base64")}`;

/** Runs two steps: one that sees pictures, and one that goes on with the conversation. */
async function run(input: object, options: object = {}) {
  const ask = (more: object, onDone: string) => ({
    invoke: { src: "agent.llm", input: { model: "openai:house-model", ...more }, onDone },
  });
  const definition = {
    initial: "look",
    states: {
      look: ask({ images: "$.trigger.images", ...input }, "again"),
      again: ask({ prompt: "Sure?" }, "done"),
      done: { type: "final", output: { text: "$.look_output.text", said: "$.messages" } },
    },
  };
  const { body: workflow } = await oven.call("POST", "agent-workflows", {
    name: `Seen ${crypto.randomUUID()}`,
    definition,
  });
  expect(workflow.id, JSON.stringify(workflow)).toBeGreaterThan(0);
  return async (images: Json) =>
    (await oven.call("POST", `agent-workflows/${workflow.id}/execute?wait=30`, { input: { images }, options })).body;
}
const sent = (at: number) => oven.server.requests[at]?.body as { messages: { role: string; content: unknown }[] }; // cast: the wire's own shape
const picture = (type: string, data: Buffer) => ({
  type: "image_url",
  image_url: expect.objectContaining({ url: `data:${type};base64,${data.toString("base64")}` }),
});

test("pictures at addresses and as data are read once, stored, and sent with the prompt and later with the conversation", async () => {
  const result = await (await run({ prompt: "What is it?" }))([`${origin}/a.png`, dataUrl(GIF)]);
  expect([result.status, result.error]).toEqual(["completed", null]);
  const user = {
    role: "user",
    content: [{ type: "text", text: "What is it?" }, picture("image/png", PNG), picture("image/gif", GIF)],
  };
  expect(sent(0).messages).toEqual([user]);
  expect(sent(1).messages).toMatchObject([user, { role: "assistant" }, { role: "user", content: "Sure?" }]);
  expect(fetched).toEqual(["/a.png"]);
  // The conversation has references, not the pictures.
  expect(result.output.said[0].content.slice(1)).toEqual([
    {
      type: "image",
      url: `${origin}/a.png`,
      file: expect.objectContaining({ mediaType: "image/png", bytes: PNG.length }),
    },
    { type: "image", file: expect.objectContaining({ mediaType: "image/gif" }) },
  ]);
});

test("a picture of the run and the last message of a given conversation: one alone, and none at all", async () => {
  const stored = (await (await run({ prompt: "x" }))(dataUrl(PNG))).output.said[0].content[1].file;
  const messages = [
    { role: "user", content: "first" },
    { role: "assistant", content: "yes" },
    { role: "user", content: [{ type: "text", text: "second" }] },
  ];
  oven.server.requests.length = 0;
  const look = await run({ messages });
  expect((await look(stored)).status).toBe("completed");
  expect(sent(0).messages.map(({ content }) => content)).toEqual([
    ...["first", "yes"],
    [{ type: "text", text: "second" }, picture("image/png", PNG)],
  ]);
  oven.server.requests.length = 0;
  // As a webhook hands a file on.
  expect((await look([{ filename: "a.png", contentType: "image/png", sizeBytes: 3, blob: stored }])).status).toBe(
    "completed",
  );
  expect(JSON.stringify(sent(0))).toContain(PNG.toString("base64"));
  oven.server.requests.length = 0;
  await look([]);
  expect(JSON.stringify(sent(0))).not.toContain("image_url");
});

test("a run that is answered from a recording reads no address, and the same data is the same question", async () => {
  const record = await run({ prompt: "What is it?" }, { recording: { name: "pictures", mode: "record" } });
  const images = [`${origin}/a.png`, dataUrl(GIF)];
  expect((await record(images)).status).toBe("completed");
  const [asked, read] = [oven.server.requests.length, fetched.length];
  const replay = await run({ prompt: "What is it?" }, { recording: { name: "pictures", mode: "replay" } });
  const replayed = await replay(images);
  expect([replayed.status, replayed.output.text]).toEqual(["completed", "A cat."]);
  expect([oven.server.requests.length, fetched.length]).toEqual([asked, read]);
  expect((await replay([`${origin}/a.png`, dataUrl(PNG)])).error).toContain("has no answer to this request");
});

test.each<[string, () => Json, string]>([
  ["an address that is not there", () => `${origin}/gone.png`, "answers 404 instead of a picture"],
  ["a page", () => `${origin}/page`, "has no picture that models take"],
  ["a large picture", () => `${origin}/large.png`, "4194304"],
  [
    "a large file of the run",
    () => ({ $blob: 1, mediaType: "image/png", bytes: 4_194_305, sha256: "a".repeat(64), summary: "" }),
    "A picture has 4194305 bytes, and models take 4194304",
  ],
  ["an address inside of the network", () => "http://169.254.169.254/latest.png", "169.254.169.254"],
  ["a file address", () => "file:///etc/passwd", "no address and no data: URL"],
  [
    "a file that is no picture",
    () => ({ $blob: 1, mediaType: "application/pdf", bytes: 3, sha256: "a".repeat(64), summary: "" }),
    "has no picture that models take",
  ],
  ["more than 20", () => Array.from({ length: 21 }, () => dataUrl(GIF)), "images"],
])("%s fails the step before the model is asked", async (_what, images, message) => {
  const { status, error } = await (await run({ prompt: "What is it?" }))(images());
  expect([status, error]).toEqual(["failed", expect.stringContaining(message)]);
  expect(oven.server.requests).toHaveLength(0);
});
