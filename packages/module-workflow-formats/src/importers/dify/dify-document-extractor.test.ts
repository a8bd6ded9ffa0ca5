import type { Json, JsonObject } from "@oven/contract";
import { makeDocx, makePdf } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { app, at, chain, chat, end, start, template, when, withFeatures } from "./testing/dify-app.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const dataUrl = (data: Uint8Array | string, type: string) =>
  `data:${type};base64,${Buffer.from(data).toString("base64")}`;
const PDF = dataUrl(makePdf(["The contract.", "Signed."]), "application/pdf");
const DOCX = dataUrl(makeDocx(["The letter.", [["a", "b"]]]), "application/octet-stream");
const TEXT = dataUrl("The note.", "text/plain");
const PAGE = dataUrl("<b>The page.</b>", "text/html");
const GIF = dataUrl("GIF89a", "image/gif");

const withUploads = (document: JsonObject) => withFeatures(document, { file_upload: { enabled: true } });
const extract = (id: string, variable_selector: string[], more: JsonObject = {}, parentId?: string) =>
  at(id, { type: "document-extractor", variable_selector, ...more }, parentId);
const field = (type: string, more: JsonObject = {}): JsonObject =>
  start({ variable: "doc", type, required: true, ...more });
const read = (type: string, more: JsonObject = {}) =>
  app(
    [field(type, more), extract("read", ["start", "doc"]), end("end", ["text", "read", "text"])],
    chain("start", "read", "end"),
  );

/** Files as a workflow of Dify gets them beside its form. */
const ofFiles = (more: JsonObject, key = "result") => {
  const operate = at("operate", { type: "list-operator", variable: ["sys", "files"], item_var_type: "file", ...more });
  const nodes = [start(), operate, extract("read", ["operate", key]), end("end", ["text", "read", "text"])];
  return withUploads(app(nodes, chain("start", "operate", "read", "end")));
};
const by = (key: string, comparison_operator: string, value: Json): JsonObject => ({
  filter_by: { enabled: true, conditions: [{ key, comparison_operator, value }] },
});

describe("a document extractor of Dify", () => {
  it.each<[string, string, Json]>([
    ["a PDF", PDF, "The contract.\fSigned."],
    ["a Word document", DOCX, "The letter.\n| a | b |\n| --- | --- |\n"],
    ["a text", TEXT, "The note."],
    ["a page, as it is written", PAGE, "<b>The page.</b>"],
  ])("takes the text out of %s of the form", async (_what, doc, text) => {
    const { output, error } = await story.run(read("file"), { doc });
    expect([output, error]).toEqual([{ text }, null]);
  });

  it("gives a text for each file of a list, also of none, and of a file at an address", async () => {
    story.shop.replies.push({ type: "application/pdf", body: Buffer.from(makePdf(["From afar."])).toString("latin1") });
    const doc = [
      PDF,
      `${story.shop.origin}/a.pdf`,
      { filename: "a.txt", base64: Buffer.from("Words").toString("base64") },
    ];
    const { output, error } = await story.run(read("file-list"), { doc });
    expect([output, error]).toEqual([{ text: ["The contract.\fSigned.", "From afar.", "Words"] }, null]);
    expect((await story.run(read("file-list"), { doc: [] })).output).toEqual({ text: [] });
    expect((await story.run(read("file-list", { required: false }), {})).output).toEqual({ text: [] });
  });

  it("reads the files of a chat, and the item of an iteration over them", async () => {
    const each = at("each", {
      ...{ type: "iteration", iterator_selector: ["sys", "files"], output_selector: ["read", "text"] },
    });
    const nodes = [
      ...[
        start(),
        each,
        at("begin", { type: "iteration-start" }, "each"),
        extract("read", ["each", "item"], {}, "each"),
      ],
      end("end", ["texts", "each", "output"]),
    ];
    const edges = [...chain("start", "each", "end"), ...chain("begin", "read")];
    const { output, error } = await story.run(withUploads(app(nodes, edges)), { files: [TEXT, PDF] });
    expect([output, error]).toEqual([{ texts: ["The note.", "The contract.\fSigned."] }, null]);
  });

  it("fails for a scan and for no file, and goes the way that the app has for it", async () => {
    const scan = dataUrl(makePdf([{ picture: true }]), "application/pdf");
    const { status, error } = await story.run(read("file"), { doc: scan });
    expect([status, error]).toEqual(["failed", expect.stringContaining("has no text")]);
    expect((await story.run(read("file", { required: false }), {})).status).toBe("failed");
    const nodes = [
      field("file"),
      extract("read", ["start", "doc"], {
        error_strategy: "default-value",
        default_value: [{ key: "text", type: "string", value: "none" }],
      }),
      end("end", ["text", "read", "text"]),
    ];
    expect((await story.run(app(nodes, chain("start", "read", "end")), { doc: scan })).output).toEqual({
      text: "none",
    });
  });

  it("is led to by a condition that asks whether there is a file", async () => {
    const nodes = [
      field("file", { required: false }),
      when("given", ["start", "doc"], "exists"),
      extract("read", ["start", "doc"]),
      end("end", ["text", "read", "text"]),
      template("hint", "No file"),
      end("without", ["text", "hint", "output"]),
    ];
    const way = (sourceHandle: string, target: string) => ({ source: "given", target, sourceHandle });
    const edges = [
      ...chain("start", "given"),
      way("yes", "read"),
      way("false", "hint"),
      ...chain("read", "end"),
      ...chain("hint", "without"),
    ];
    expect((await story.run(app(nodes, edges), { doc: TEXT })).output).toEqual({ text: "The note." });
    expect((await story.run(app(nodes, edges), {})).output).toEqual({ text: "No file" });
  });

  it.each<[string, string[], string]>([
    ["names no file", ["start"], "it names no file"],
    ["reads a text", ["start", "x"], "start.x of “start”, which is no file"],
    ["reads what a step made", ["made", "files"], "which is no file that comes into runs here"],
  ])("that %s stays a placeholder", async (_what, selector, why) => {
    const nodes = [
      start({ variable: "x", type: "text-input" }),
      template("made", "x"),
      extract("read", selector),
      end("end", ["text", "read", "text"]),
    ];
    const { report } = await readForeign(JSON.stringify(app(nodes, chain("start", "made", "read", "end"))));
    const { outcome, notes } = report.elements.find(({ name }) => name === "read") ?? {};
    expect([outcome, notes?.[0]]).toEqual(["placeholder", expect.stringContaining(why)]);
  });

  it("makes typed inputs of the fields, and says what is not checked", async () => {
    const { definition, report } = await readForeign(
      JSON.stringify(read("file-list", { max_length: 3, label: "Papers" })),
    );
    expect(definition).toMatchObject({
      payloadSchema: {
        properties: { doc: { type: "array", title: "Papers", maxItems: 3, items: { type: ["string", "object"] } } },
        required: ["doc"],
      },
    });
    expect(report.elements.find(({ type }) => type === "start")?.notes.join()).toContain(
      "Which kinds are allowed is not checked",
    );
  });

  it("has no name or size of a file for other steps", async () => {
    const named = app(
      [field("file"), template("t", "{{ n }}", { n: ["start", "doc", "name"] }), end("end", ["x", "t", "output"])],
      chain("start", "t", "end"),
    );
    const { report } = await readForeign(JSON.stringify(named));
    expect(report.elements.find(({ name }) => name === "t")).toMatchObject({ outcome: "placeholder" });
  });
});

describe("a list operator of Dify on files", () => {
  const FILES: Json = [
    PDF,
    { filename: "b.TXT", contentType: "text/plain", base64: Buffer.from("bb").toString("base64") },
    GIF,
    { filename: "a.md", base64: Buffer.from("a").toString("base64") },
  ];

  it.each<[string, JsonObject, Json]>([
    ["by their type", by("type", "in", ["document"]), ["The contract.\fSigned.", "bb", "a"]],
    ["by what they are not", by("type", "not in", ["image", "audio"]), ["The contract.\fSigned.", "bb", "a"]],
    ["by extension", by("extension", "is", ".txt"), ["bb"]],
    ["by name", by("name", "start with", "a"), ["a"]],
    ["by media type", by("mime_type", "contains", "pdf"), ["The contract.\fSigned."]],
    [
      "by how they came",
      { ...by("transfer_method", "in", ["local_file"]), limit: { enabled: true, size: 2 } },
      ["The contract.\fSigned.", "bb"],
    ],
    ["by size", by("size", "≤", "2"), ["bb", "a"]],
    [
      "sorted by name",
      { ...by("name", "not empty", ""), order_by: { enabled: true, key: "name", value: "asc" } },
      ["a", "bb"],
    ],
    ["the second one", { extract_by: { enabled: true, serial: "2" } }, ["bb"]],
  ])("takes those %s", async (_what, more, expected) => {
    const { output, error } = await story.run(ofFiles(more), { files: FILES });
    expect([output, error]).toEqual([{ text: expected }, null]);
  });

  it("hands the first and the last one on as one file", async () => {
    const documents = by("type", "in", ["document"]);
    expect((await story.run(ofFiles(documents, "first_record"), { files: FILES })).output).toEqual({
      text: "The contract.\fSigned.",
    });
    expect((await story.run(ofFiles(documents, "last_record"), { files: FILES })).output).toEqual({ text: "a" });
  });

  it("knows of a file at an address what the address says, and fails where it is asked how large it is", async () => {
    const files = [`${story.shop.origin}/x/a%20b.pdf?v=1.txt`, `${story.shop.origin}/b`];
    story.shop.replies.push({ type: "application/pdf", body: Buffer.from(makePdf(["Afar"])).toString("latin1") });
    expect((await story.run(ofFiles(by("name", "is", "a b.pdf")), { files })).output).toEqual({ text: ["Afar"] });
    const { status, error } = await story.run(ofFiles(by("size", ">", "1")), { files });
    expect([status, error]).toEqual(["failed", expect.stringContaining("is not known")]);
  });

  it.each<[JsonObject, string]>([
    [by("related_id", "is", "x"), "“related_id”"],
    [by("type", "contains", "x"), "by “contains”"],
    [by("name", "is", ["x"]), "with something else than a text"],
    [{ variable: ["start", "x"], item_var_type: "file" }, "no file that comes into runs here"],
  ])("set to %j stays a placeholder", async (more, why) => {
    const { report } = await readForeign(JSON.stringify(ofFiles(more)));
    const { outcome, notes } = report.elements.find(({ name }) => name === "operate") ?? {};
    expect([outcome, notes?.[0]]).toEqual(["placeholder", expect.stringContaining(why)]);
  });

  it("hands pictures of a chat to a model", async () => {
    story.answers.push({ text: "A cat.", usage: { input: 1, output: 1 } });
    const operate = at("operate", {
      type: "list-operator",
      variable: ["sys", "files"],
      item_var_type: "file",
      ...by("type", "in", ["image"]),
    });
    const look = at("look", {
      type: "llm",
      prompt_template: [{ role: "user", text: "What is it?" }],
      vision: { enabled: true, configs: { variable_selector: ["operate", "result"] } },
    });
    const document = chat(
      [start(), operate, look, at("a", { type: "answer", answer: "{{#look.text#}}" })],
      chain("start", "operate", "look", "a"),
    );
    const { output, error } = await story.run(withUploads(document), { message: "Hi", files: [PDF, GIF] });
    expect([output, error]).toEqual([{ text: "A cat." }, null]);
    expect(story.asked().at(-1)?.body).toContain("image/gif");
  });
});
