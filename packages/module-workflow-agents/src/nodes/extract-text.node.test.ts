import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "@oven/contract";
import { makeDocx, makePdf, SCANNER_PICTURES } from "@oven/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";

const PDF = Buffer.from(makePdf(["The contract."]));
const DOCX = Buffer.from(makeDocx(["The letter."]));
const TYPES: { [path: string]: [string, Buffer] } = {
  "/offer.pdf": ["application/pdf", PDF],
  "/page": ["text/html; charset=utf-8", Buffer.from("<h1>Sea</h1>")],
};
const files = createServer((request, response) => {
  const [type, body] = TYPES[request.url ?? ""] ?? [];
  if (type === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": type }).end(body);
});
let origin = "";
let oven: AgentOven;
let workflowId = 0;

beforeAll(async () => {
  files.listen(0, "127.0.0.1");
  await once(files, "listening");
  origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`; // cast: it listens on TCP
  oven = await startAgentOven(() => ({ text: "" }), { outboundAllow: [origin] });
});
afterAll(async () => {
  await oven.stop();
  files.close();
});

async function extract(input: { [key: string]: Json }) {
  const definition = {
    initial: "read",
    states: {
      read: { invoke: { src: "data.extractText", input, onDone: "done" } },
      done: { type: "final", output: { all: "$.read_output" } },
    },
  };
  const { body } = await oven.call("POST", "agent-workflows", { name: `Read ${++workflowId}`, definition });
  expect(body.id, JSON.stringify(body)).toBeGreaterThan(0);
  const run = await oven.call("POST", `agent-workflows/${body.id}/execute?wait=30`, { input: {} });
  return { ...run.body, found: run.body.output?.all };
}
const dataUrl = (data: Buffer, type = "application/pdf") => `data:${type};base64,${data.toString("base64")}`;

/** Content as webhooks store it. */
async function stored(data: Buffer, mediaType: string, tenantId = 1): Promise<{ [key: string]: Json }> {
  const sha256 = createHash("sha256").update(data).digest("hex");
  const [row] = await oven.db.query<{ id: number }>(
    "insert into run_blobs (tenant_id, execution_id, node_id, visit, media_type, sha256, size, data) values ($1, 0, 'x', 1, $2, $3, $4, $5) returning id",
    [tenantId, mediaType, sha256, data.length, data],
  );
  return { $blob: row?.id ?? 0, mediaType, bytes: data.length, sha256, summary: "" };
}

test("one file gives a text, several give texts in their order: addresses, data, stored content and files of webhooks", async () => {
  expect((await extract({ file: dataUrl(PDF) })).found).toEqual({
    text: "The contract.",
    texts: [],
    truncated: false,
    warnings: [],
  });
  const blob = await stored(DOCX, "application/octet-stream");
  const list = [
    `${origin}/offer.pdf`,
    `${origin}/page`,
    blob,
    { filename: "letter.docx", contentType: "application/octet-stream", sizeBytes: 3, cid: null, blob },
    { filename: "a.csv", base64: Buffer.from("a,b").toString("base64") },
    "data:,Gr%C3%BC%C3%9Fe",
  ];
  const { found, error } = await extract({ files: list as Json }); // cast: JSON as written
  expect([found?.texts, found?.text, error]).toEqual([
    ["The contract.", "# Sea", "The letter.", "The letter.", "| a | b |\n| --- | --- |", "Grüße"],
    null,
    null,
  ]);
  expect((await extract({ files: [] })).found.texts).toEqual([]);
});

test("what is cut and what has no text is said", async () => {
  const { found } = await extract({ file: dataUrl(Buffer.from("ab\u{1F34E}"), "text/plain"), maxCharacters: 3 });
  expect([found.text, found.truncated]).toEqual(["ab", true]);
  const half = await extract({ file: dataUrl(Buffer.from(makePdf(["Words", { picture: true }]))) });
  expect(half.found.warnings).toEqual(["File 1: 1 of 2 pages have no text (2)"]);
});

test("a scan is read where that is asked for, and what stands between pages is what the step says", async () => {
  const pages = [...SCANNER_PICTURES.slice(0, 1), "Signed."];
  const asked = { recognizeText: true, languages: ["eng"], betweenPages: " / " };
  const { found, error } = await extract({ file: dataUrl(Buffer.from(makePdf(pages))), ...asked });
  expect([found?.text.replaceAll("\n", ""), error]).toEqual(["The whale sings. / Signed.", null]);
});

test.each<[string, () => Promise<Json> | Json, string]>([
  ["a scan", () => dataUrl(Buffer.from(makePdf([{ picture: true }]))), "has no text"],
  ["an address that is not there", () => `${origin}/gone`, "answers 404 instead of a file"],
  ["an address inside of the network", () => "http://169.254.169.254/a.pdf", "169.254.169.254"],
  ["a file address", () => "file:///etc/passwd", "no address and no data: URL"],
  ["content of another tenant", () => stored(PDF, "application/pdf", 7), "not yours to see"],
  [
    "a reference that was made up",
    async () => ({ ...(await stored(PDF, "application/pdf")), sha256: "a".repeat(64) }),
    "another content",
  ],
  [
    "a reference to more than is read",
    async () => ({ ...(await stored(PDF, "application/pdf")), bytes: 20_971_521 }),
    "20971521 bytes",
  ],
  ["no base64", () => ({ base64: "ä" }), "no base64"],
  ["too much text", () => dataUrl(Buffer.alloc(670_000, 1), "text/plain"), "a step hands on 4000000"],
])("%s fails the step", async (_what, make, message) => {
  const { status, error } = await extract({ file: await make() });
  expect([status, error]).toEqual(["failed", expect.stringContaining(message)]);
});
