import type { Json, JsonObject } from "@oven/contract";
import { makePdf } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type AppStory, startApps } from "./testing/app-story.ts";
import { called, chainOf, documentOf, linked, n8nNode } from "./testing/n8n-documents.ts";

let story: AppStory;
beforeAll(async () => {
  story = await startApps();
});
beforeEach(() => story.reset());
afterAll(() => story.stop());

const PDF = Buffer.from(makePdf(["The contract.", "Signed."]));
const TEXT = "The contract.\n\nSigned.";
const extract = (parameters: JsonObject = {}, type = "extractFromFile") =>
  n8nNode("Read", type, type === "readPDF" ? parameters : { operation: "pdf", options: {}, ...parameters }, {
    typeVersion: 1,
  });
const use = (value = "={{ $json.text }}") =>
  n8nNode("Use", "set", { assignments: { assignments: [{ name: "u", type: "string", value }] } });
const form = (...fieldLabels: string[]) =>
  n8nNode("Form", "formTrigger", {
    formFields: { values: fieldLabels.map((fieldLabel) => ({ fieldLabel, fieldType: "file", requiredField: true })) },
  });
const fetch = (response: JsonObject = {}) =>
  n8nNode("Get", "httpRequest", { url: "https://files.example.com/a.pdf", options: { response: { response } } });
const webhook = (parameters: JsonObject = {}) =>
  n8nNode("Hook", "webhook", { httpMethod: "POST", path: "x", ...parameters });
const given = (data = PDF): JsonObject => ({
  filename: "a.pdf",
  contentType: "application/pdf",
  base64: data.toString("base64"),
});
const run = async (document: Json, input: JsonObject) => {
  const { status, output, error } = await story.run(document, input);
  return status === "completed" ? output : String(error);
};

describe("Extract from PDF of n8n", () => {
  it.each<[string, JsonObject]>([
    ["as a file", { responseFormat: "file" }],
    ["by what it is", {}],
    ["as a file with a name", { responseFormat: "file", outputPropertyName: "offer" }],
  ])("takes the text out of what a request has got %s, with an empty line between pages", async (_what, response) => {
    story.answerText("application/pdf", PDF.toString("latin1"));
    const name: JsonObject = typeof response.outputPropertyName === "string" ? { binaryPropertyName: "offer" } : {};
    expect(await run(chainOf(called("Start"), fetch(response), extract(name), use()), {})).toEqual({ u: TEXT });
  });

  it("reads a file of a form by the name that n8n makes of its label, also behind a node that lets items pass", async () => {
    const pass = n8nNode("Pass", "noOp");
    const document = chainOf(form("Your-CV", "Other"), pass, extract({ binaryPropertyName: "Your_CV" }), use());
    expect(await run(document, { "Your-CV": given(), Other: "x" })).toEqual({ u: TEXT });
    const { definition } = await readForeign(JSON.stringify(document));
    expect(definition).toMatchObject({
      payloadSchema: {
        properties: { "Your-CV": { type: ["string", "object"] } },
        required: ["Your-CV", "Other"],
      },
    });
  });

  it("reads a file of a webhook's form, and a body that is one", async () => {
    const rest = { headers: {}, query: {}, method: "POST" };
    const named = chainOf(webhook(), extract({ binaryPropertyName: "paper" }), use());
    expect(await run(named, { body: { paper: given() }, ...rest })).toEqual({ u: TEXT });
    const plain = chainOf(webhook(), extract(), use());
    expect(await run(plain, { body: { data: given() }, ...rest })).toEqual({ u: TEXT });
    expect(await run(plain, { body: { base64: PDF.toString("base64") }, ...rest })).toEqual({ u: TEXT });
  });

  it("reads a file that Google Drive was asked for, which leaves the item as it is", async () => {
    story.answerText("application/pdf", PDF.toString("latin1"));
    const download = n8nNode(
      "Get",
      "googleDrive",
      {
        operation: "download",
        fileId: { mode: "id", value: "={{ $json.id }}" },
        options: { binaryPropertyName: "cv" },
      },
      { typeVersion: 3 },
    );
    const keep = n8nNode("Keep", "set", {
      assignments: { assignments: [{ name: "k", type: "string", value: "={{ $json.id }}" }] },
    });
    const chain = chainOf(
      called("Start"),
      download,
      extract({ binaryPropertyName: "cv" }),
      use("={{ $json.text }} {{ $('Get').item.json.id }}"),
    );
    expect(await run(chain, { id: "f1" })).toEqual({ u: `${TEXT} f1` });
    expect(story.asked()).toMatchObject([
      { method: "GET", url: "https://www.googleapis.com/drive/v3/files/f1?alt=media&supportsAllDrives=true" },
    ]);
    // A step that makes its own item hands on no file here.
    const { report } = await readForeign(
      JSON.stringify(chainOf(called("Start"), download, keep, extract({ binaryPropertyName: "cv" }))),
    );
    expect(report.elements.find(({ name }) => name === "Read")?.outcome).toBe("placeholder");
  });

  it.each<[string, JsonObject, number, string]>([
    [
      "that has documents converted",
      { options: { googleFileConversion: { conversion: {} } } },
      3,
      "it has a document converted",
    ],
    ["of an old version", { options: {} }, 1, "it downloads a file"],
  ])("a download of Google Drive %s stays a placeholder", async (_what, more, typeVersion, why) => {
    const download = n8nNode("Get", "googleDrive", { operation: "download", fileId: "f1", ...more }, { typeVersion });
    const { report } = await readForeign(JSON.stringify(chainOf(called("Start"), download, use())));
    const { outcome, notes } = report.elements.find(({ name }) => name === "Get") ?? {};
    expect([outcome, notes?.join(" ")]).toEqual(["placeholder", expect.stringContaining(why)]);
  });

  it.each<[string, string, string]>([
    ["image/png", "a picture", "cGljdHVyZQ=="],
    ["text/plain", "a text", "R3LDvMOfZQ=="],
  ])("hands on what a request has got as base64: %s, %s", async (type, _what, expected) => {
    story.answerText(type, Buffer.from(expected, "base64").toString());
    const move = extract({ operation: "binaryToPropery", destinationKey: "img" });
    const document = chainOf(called("Start"), fetch({ responseFormat: "file" }), move, use("={{ $json.img }}"));
    expect(await run(document, {})).toEqual({ u: expected });
  });

  it("is what Read PDF does, and fails for a scan", async () => {
    const document = chainOf(form("data"), extract({}, "readPDF"), use());
    expect(await run(document, { data: given() })).toEqual({ u: TEXT });
    const scan = Buffer.from(makePdf([{ picture: true }]));
    expect(await run(document, { data: given(scan) })).toContain("has no text");
  });

  it.each<[string, JsonObject[], string]>([
    ["another kind of file", [form("data"), extract({ operation: "xlsx" })], "it takes xlsx out of a file"],
    ["a file of a form as base64", [form("data"), extract({ operation: "binaryToPropery" })], "came with the run"],
    [
      "a field that lies deeper",
      [called("Start"), fetch(), extract({ operation: "binaryToPropery", destinationKey: "a.b" })],
      "lies deeper",
    ],
    ["a password", [form("data"), extract({ options: { password: "x" } })], "its option password has no equal"],
    ["an old PDF with a password", [form("data"), extract({ encrypted: true }, "readPDF")], "with a password"],
    ["a name that is computed", [form("data"), extract({ binaryPropertyName: "={{ $json.a }}" })], "is computed"],
    ["a file that the form has not", [form("other"), extract()], "the file data"],
    ["two fields of that name", [form("a b", "a-b"), extract({ binaryPropertyName: "a_b" })], "the file a_b"],
    [
      "an answer that is read as a text",
      [called("Start"), fetch({ responseFormat: "text" }), extract()],
      "the file data",
    ],
    ["a raw body", [webhook({ options: { rawBody: true } }), extract()], "the file data"],
    [
      "a file that code made",
      [called("Start"), n8nNode("Make", "code", { jsCode: "return [{}]" }), extract()],
      "the file data",
    ],
  ])("stays a placeholder for %s", async (_what, nodes, why) => {
    const { report } = await readForeign(JSON.stringify(chainOf(...nodes)));
    const { outcome, notes } = report.elements.find(({ name }) => name === "Read") ?? {};
    expect([outcome, notes?.[0]]).toEqual(["placeholder", expect.stringContaining(why)]);
  });

  it("has no number of pages: what reads that stays a placeholder", async () => {
    const { report } = await readForeign(
      JSON.stringify(chainOf(form("data"), extract(), use("={{ $json.numpages }}"))),
    );
    expect(report.elements.find(({ name }) => name === "Use")?.outcome).toBe("placeholder");
  });

  it("stays a placeholder where files come by two ways", async () => {
    const document = documentOf([form("data"), called("Start"), extract()], {
      Form: linked(["Read"]),
      Start: linked(["Read"]),
    });
    const { report } = await readForeign(JSON.stringify(document));
    expect(report.elements.find(({ name }) => name === "Read")?.outcome).toBe("placeholder");
  });
});
