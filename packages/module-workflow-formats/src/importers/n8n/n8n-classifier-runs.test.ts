import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { json } from "../../shared/testing/scripted-model.ts";
import { called, documentOf, linked, n8nNode, writes } from "./testing/n8n-documents.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const document = (options: JsonObject): JsonObject => {
  const categories = { categories: [{ category: "refund" }, { category: "complaint" }] };
  const parameters = { inputText: "={{ $json.t }}", categories, options };
  const nodes = [
    ...[called("Start"), n8nNode("Sort", "langchain.textClassifier", parameters, { typeVersion: 1 })],
    ...[writes("Refund"), writes("Complaint"), writes("Other"), n8nNode("Model", "langchain.lmChatOpenAi")],
  ];
  return documentOf(nodes, {
    ...{ Start: linked(["Sort"]), Sort: linked(["Refund"], ["Complaint"], ["Other"]) },
    Model: { ai_languageModel: [[{ node: "Sort", type: "ai_languageModel", index: 0 }]] },
  });
};

describe("a Text Classifier of n8n with an output for what fits no category", () => {
  it.each([
    ["refund", { w: "Refund" }],
    ["complaint", { w: "Complaint" }],
    ["none", { w: "Other" }],
  ])("leads on from %s to its own step", async (category, output) => {
    story.answers.push(json({ category }));
    const run = await story.run(document({ fallback: "other" }), { t: "hello" });
    expect([run.status, run.output]).toEqual(["completed", output]);
  });
});
