import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { json } from "../../shared/testing/scripted-model.ts";
import { called, documentOf, linked, n8nNode } from "./testing/n8n-documents.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const serves = (node: string, type: string): JsonObject => ({ [type]: [[{ node, type, index: 0 }]] });
const use = (value: string) =>
  n8nNode("Use", "set", { assignments: { assignments: [{ name: "u", type: "string", value }] } });
const agent = n8nNode("Agent", "langchain.agent", {
  ...{ promptType: "define", text: "={{ $json.q }}", hasOutputParser: true, options: {} },
});
const model = (name: string) => n8nNode(name, "langchain.lmChatOpenAi");

describe("a parser of n8n that has answers put right", () => {
  it("is the schema of the parser behind it, and an answer that does not fit is asked for again", async () => {
    const parser = n8nNode("Shape", "langchain.outputParserStructured", { jsonSchemaExample: '{ "city": "Berlin" }' });
    const fixing = n8nNode("Fix", "langchain.outputParserAutofixing", { options: {} });
    const nodes = [
      called("Start"),
      agent,
      model("Model"),
      parser,
      fixing,
      model("Second"),
      use("={{ $json.output.city }}"),
    ];
    const document = documentOf(nodes, {
      ...{ Start: linked(["Agent"]), Agent: linked(["Use"]), Model: serves("Agent", "ai_languageModel") },
      ...{ Second: serves("Fix", "ai_languageModel"), Shape: serves("Fix", "ai_outputParser") },
      Fix: serves("Agent", "ai_outputParser"),
    });
    story.answers.push(json({ town: "Bonn" }), json({ city: "Bonn" }));
    const { output, report } = await story.run(document, { q: "Where?" });
    expect(output).toEqual({ u: "Bonn" });
    const outcomes = report.elements.map(({ name, outcome }: JsonObject) => [name, outcome]);
    expect(outcomes).toEqual(
      expect.arrayContaining([
        ["Fix", "noted"],
        ["Second", "noted"],
        ["Shape", "mapped"],
      ]),
    );
  });
});

describe("a parser of n8n that is asked for and not connected", () => {
  it("leaves the answer a text, and says so", async () => {
    const nodes = [called("Start"), agent, model("Model"), use("={{ $json.output }}")];
    const document = documentOf(nodes, {
      ...{ Start: linked(["Agent"]), Agent: linked(["Use"]), Model: serves("Agent", "ai_languageModel") },
    });
    story.answers.push({ text: "In Bonn." });
    const { output, report } = await story.run(document, { q: "Where?" });
    expect(output).toEqual({ u: "In Bonn." });
    expect(report.elements.find(({ name }: JsonObject) => name === "Agent")?.notes.join()).toContain("has none");
  });
});

describe("a page of HTML of n8n", () => {
  const page = (html: string) =>
    documentOf([called("Start"), n8nNode("Page", "html", { html }, { typeVersion: 1.2 }), use("={{ $json.html }}")], {
      ...{ Start: linked(["Page"]), Page: linked(["Use"]) },
    });

  it("has its expressions filled in, also those that compute", async () => {
    const html = "<style>a { b { c: d }}</style><h1>{{ $json.title }}</h1><p>{{ $json.rows.length + 1 }}</p>";
    const { output } = await story.run(page(html), { title: "Hi", rows: [1, 2] });
    expect(output).toEqual({ u: "<style>a { b { c: d }}</style><h1>Hi</h1><p>3</p>" });
  });
});
