import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readForeign } from "../../importing/read-foreign.ts";
import { expectRefusals } from "../../importing/testing/damaged-documents.ts";
import { documentAt, outcomesOf, refused, settingsOf, statesOf } from "../../importing/testing/read-imports.ts";
import { DAMAGED, SOUND } from "./testing/damaged-dify.ts";

describe("an app of Dify", () => {
  it("keeps what has an equal, and tells of every node with its line", async () => {
    const read = await readForeign(documentAt("testing/dify-support-chat.yml", import.meta.url));
    expect(outcomesOf(read)).toMatchObject({
      Start: "mapped",
      "Question Classifier": "mapped",
      "Product docs": "noted",
      "List the parts": "mapped",
      "Each part": "mapped",
      "Describe it": "mapped",
      Answer: "mapped",
      "Run Python": "placeholder",
      Note: "mapped",
    });
    const { question_classifier, product_docs, list_the_parts, each_part, answer } = statesOf(read);
    expect(question_classifier?.invoke?.onDone).toMatchObject([
      { target: "product_docs", guard: { params: { key: "$.output.object.category", value: "About a product" } } },
      { target: "run_python", guard: { params: { value: "Anything else" } } },
      { target: expect.stringContaining("done") },
    ]);
    expect(product_docs?.invoke?.input).toMatchObject({ store: "product-docs", query: "$.trigger.message", topK: 4 });
    expect(list_the_parts?.invoke?.input).toMatchObject({
      system: "Use what is known:\n{{ $.product_docs_output.context }}",
      messages: [{ role: "user", content: "{{ $.trigger.message }}" }],
    });
    expect(each_part?.loop).toMatchObject({
      collection: "$.list_the_parts_output.object.parts",
      concurrency: 3,
      bodyStates: {
        describe_it: {
          invoke: { input: { messages: [{ content: "Describe {{ $.item }} in {{ $.conversation_language }}." }] } },
        },
      },
    });
    expect(answer?.invoke?.input).toEqual({ mapping: { text: "{{ $.each_part_results_output.output }}" } });
    expect(read.definition).toMatchObject({
      payloadSchema: { required: ["message"], properties: { plan: { enum: ["free", "paid"] } } },
      context: { conversation_language: "English", env_SHOP_URL: "https://shop.example.com" },
    });
    expect(settingsOf(read)).toEqual(
      expect.arrayContaining(["configuration SHOP_URL", "credential SHOP_KEY", "knowledge Product docs"]),
    );
    expect(read.report.elements.find(({ name }) => name === "Run Python")).toMatchObject({ line: 130, column: 9 });
    expect(JSON.stringify(read)).not.toContain("very-secret-key");
  });

  const knowledge = (more: JsonObject) =>
    readForeign(
      JSON.stringify({
        kind: "app",
        app: { mode: "workflow" },
        workflow: {
          graph: {
            nodes: [
              { id: "s", data: { type: "start", title: "Start" } },
              {
                id: "k",
                data: { type: "knowledge-retrieval", title: "Docs", query_variable_selector: ["s", "q"], ...more },
              },
            ],
            edges: [{ source: "s", target: "k", sourceHandle: "source" }],
          },
        },
      }),
    );

  it.each<[string, JsonObject, JsonObject, string]>([
    ["as many as it took", { top_k: 7, score_threshold: null }, { topK: 7 }, "Make a vector store"],
    ["its threshold", { top_k: 3, score_threshold: 0.5 }, { topK: 3, minScore: 0.5 }, "that of other embeddings"],
    ["no threshold", { top_k: 3, score_threshold: 0.5, score_threshold_enabled: false }, { topK: 3 }, "Make a vector"],
    [
      "a rerank model",
      { top_k: 3, reranking_enable: true, reranking_mode: "reranking_model" },
      { topK: 3, rerank: true },
      "Its rerank model was not imported",
    ],
    [
      "weights",
      { top_k: 3, reranking_enable: true, reranking_mode: "weighted_score" },
      { topK: 3 },
      "It weighed meaning and words",
    ],
  ])("searches knowledge with what it was set to: %s", async (_what, multiple_retrieval_config, expected, note) => {
    const read = await knowledge({ retrieval_mode: "multiple", multiple_retrieval_config });
    expect(statesOf(read).docs?.invoke?.input).toEqual({
      ...{ store: "docs", query: "$.trigger.q", history: "none" },
      ...expected,
    });
    expect(read.report.elements.find(({ name }) => name === "Docs")?.notes.join("\n")).toContain(note);
  });

  it("does not search without the filter that it had", async () => {
    expect(outcomesOf(await knowledge({ metadata_filtering_mode: "manual" })).Docs).toBe("placeholder");
    expect(outcomesOf(await knowledge({ metadata_filtering_mode: "disabled" })).Docs).toBe("noted");
  });

  it("is read with aliases, but not with those that grow without end", async () => {
    const text = `shared: &node { type: end, title: End, outputs: [] }\n${stringify(SOUND)}`;
    expect((await readForeign(text)).product).toBe("dify");
    const bomb = Array.from(
      { length: 12 },
      (_, n) =>
        `a${n}: &a${n} [${Array(12)
          .fill(n === 0 ? "x" : `*a${n - 1}`)
          .join(", ")}]`,
    );
    const { code, message } = await refused(bomb.join("\n"));
    expect([code, message]).toEqual(["SOURCE_UNREADABLE", expect.stringContaining("values, aliases written out")]);
    expect((await refused("a: &a [*a]")).message).toContain("nested over 100 deep");
  });

  it("is refused at its place where it is not sound", () => expectRefusals(SOUND, DAMAGED, stringify));
});

it("credentials of Dify never reach the definition or the report", async () => {
  const data = {
    type: "http-request",
    title: "Ask",
    method: "get",
    url: "https://a.example",
    params: "token:plainvalue7",
  };
  const nodes = [
    { id: "s", data: { type: "start", title: "Start", variables: [] } },
    { id: "h", data },
    { id: "e", data: { type: "end", title: "End", outputs: [] } },
  ];
  const edges = [
    { source: "s", target: "h", sourceHandle: "source" },
    { source: "h", target: "e", sourceHandle: "source" },
  ];
  const read = await readForeign(
    stringify({
      kind: "app",
      version: "0.3.0",
      app: { name: "A", mode: "workflow" },
      workflow: { graph: { nodes, edges } },
    }),
  );
  expect(JSON.stringify(read)).not.toContain("plainvalue7");
  expect(read.report.settings).toMatchObject([{ kind: "credential" }]);
});
