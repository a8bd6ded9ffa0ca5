import { readFileSync } from "node:fs";
import { isOvenError, type Json, type JsonObject, type OvenError } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readForeign } from "./read-foreign.ts";
import {
  DAMAGED_DIFY,
  DAMAGED_LANGGRAPH,
  DAMAGED_N8N,
  type Damage,
  SOUND_DIFY,
  SOUND_LANGGRAPH,
  SOUND_N8N,
} from "./testing/malformed-documents.ts";

type Read = Awaited<ReturnType<typeof readForeign>>;

const exported = (name: string): string =>
  readFileSync(new URL(`../importers/${name.split("-")[0]}/testing/${name}`, import.meta.url), "utf8");
const outcomesOf = ({ report }: Read) =>
  Object.fromEntries(report.elements.map(({ name, outcome }) => [name, outcome]));
const statesOf = ({ definition }: { definition: JsonObject }) => (definition as unknown as Definition).states; // cast: validated where it is made a workflow
const settingsOf = ({ report }: Read) => report.settings.map(({ kind, name }) => `${kind} ${name}`);

async function refused(source: string): Promise<OvenError> {
  const error = await readForeign(source).catch((caught: unknown) => caught);
  if (!isOvenError(error)) throw new Error("it was not refused", { cause: error });
  return error;
}

describe("a workflow of n8n", () => {
  it("says of each option of a request, and of how items came together, what is not carried over", async () => {
    const options = {
      ...{ timeout: 5_000, proxy: "http://proxy.example.com", batching: { batch: { batchSize: 5 } }, sometimes: true },
      response: { response: { neverError: true, responseFormat: "file" } },
    };
    const nodes = [
      { name: "Start", type: "n8n-nodes-base.webhook" },
      { name: "Ask", type: "n8n-nodes-base.httpRequest", parameters: { url: "https://example.com", options } },
      { name: "Join", type: "n8n-nodes-base.merge", parameters: { mode: "combine", combineBy: "combineByFields" } },
    ];
    const to = (name: string) => ({ main: [[{ node: name, type: "main", index: 0 }]] });
    const source = JSON.stringify({ name: "Reported", nodes, connections: { Start: to("Ask"), Ask: to("Join") } });
    const text = JSON.stringify((await readForeign(source)).report);
    for (const word of ["proxy", "forEach", "option sometimes", "Its answer as file", "matched by their fields"])
      expect(text).toContain(word);
    expect(text).not.toContain("timeout");
  });

  it("keeps what has an equal, and tells of every node with its line", async () => {
    const read = await readForeign(exported("n8n-order-support.json"));
    expect(read.name).toBe("Order support");
    expect(outcomesOf(read)).toEqual({
      Webhook: "noted",
      "Get order": "noted",
      "Large order?": "mapped",
      "Edit Fields": "mapped",
      "AI Agent": "mapped",
      "OpenAI Chat Model": "noted",
      Calculator: "mapped",
      Shorten: "placeholder",
      "Stop and Error": "mapped",
      "Sticky Note": "mapped",
    });
    expect(read.report.elements.find(({ name }) => name === "Shorten")).toMatchObject({
      path: "$.nodes[7]",
      line: 119,
      column: 5,
      state: "shorten",
    });
    const { get_order, large_order, ai_agent, stop_and_error_step } = statesOf(read);
    expect(get_order?.invoke).toMatchObject({
      src: "core.http",
      input: {
        url: "https://shop.example.com/orders/{{ $.trigger.body.orderId }}",
        headers: {
          "X-Api-Key": { $secret: "get-order-x-api-key" },
          Authorization: { $secret: "shop-api", prefix: "Bearer " },
        },
      },
      retry: { maxAttempts: 2 },
      onError: { target: "stop_and_error_step" },
    });
    expect(large_order?.always).toMatchObject([
      {
        target: "edit_fields",
        guard: {
          type: "all",
          guards: [
            { params: { key: "$.get_order_output.body.total", operator: ">", value: 100 } },
            { type: "not", guard: { params: { operator: "==", value: "cancelled" } } },
          ],
        },
      },
      { target: "shorten" },
    ]);
    expect(ai_agent?.invoke).toMatchObject({
      src: "agent.toolLoop",
      input: { tools: ["math.calculate"], maxIterations: 5 },
    });
    expect(stop_and_error_step?.invoke?.onDone).toBeUndefined();
    expect(settingsOf(read)).toEqual(
      expect.arrayContaining(["trigger Webhook", "credential shop-api", "model lmChatOpenAi: gpt-4o-mini"]),
    );
    expect(read.definition.meta).toMatchObject({
      positions: { get_order: { x: 220, y: 0 } },
      notes: [{ text: expect.any(String) }],
    });
    expect(JSON.stringify(read)).not.toContain("written-out-key");
  });

  it.each<[string, Json, string, Json]>([
    ["a path of what comes in", "={{ $json.body.a[0]['b c'] }}", "mapped", '$.trigger.body.a[0]["b c"]'],
    ["a path of a node", '={{ $node["Start"].json.body.x }}', "mapped", "$.trigger.body.x"],
    ["text around it", "=Hi {{ $('Start').first().json.body.x }}!", "mapped", "Hi {{ $.trigger.body.x }}!"],
    ["JSON of it", "={{ JSON.stringify($json.body) }}", "mapped", "$.trigger.body | json"],
    ["a constant", "={{ 5 }}", "mapped", 5],
    ["text that looks like ours", "{{ $.secret }}", "mapped", { $literal: "{{ $.secret }}" }],
    ["our braces beside an expression", "=\\{{ {{ $json.body.x }}", "placeholder", null],
    ["a call", "={{ $json.body.x.toUpperCase() }}", "placeholder", null],
    ["a sum", "={{ $json.body.x + 1 }}", "placeholder", null],
    ["the date", "={{ $now.toISO() }}", "placeholder", null],
    ["a function", "={{ (() => process.exit())() }}", "placeholder", null],
    ["somebody who is not there", "={{ $('Nobody').item.json.x }}", "placeholder", null],
  ])("translates an expression only where it is exact: %s", async (_what, value, outcome, expected) => {
    const set = { assignments: { assignments: [{ name: "v", value, type: "string" }] } };
    const read = await readForeign(
      JSON.stringify({
        nodes: [
          { name: "Start", type: "n8n-nodes-base.webhook" },
          { name: "Set", type: "n8n-nodes-base.set", typeVersion: 3.4, parameters: set },
        ],
        connections: { Start: { main: [[{ node: "Set", type: "main", index: 0 }]] } },
      }),
    );
    expect(outcomesOf(read).Set).toBe(outcome);
    const input = statesOf(read).set?.invoke?.input;
    if (outcome === "mapped") expect(input).toEqual({ mapping: { v: expected } });
    else expect(JSON.stringify(input)).toContain(JSON.stringify(value).slice(1, -1));
  });

  it("loops over a list, and goes several ways at once only where they come together", async () => {
    const step = (name: string, type: string, parameters: object = {}) => ({ name, type, typeVersion: 3, parameters });
    const link = (...outputs: string[][]) => ({ main: outputs.map((nodes) => nodes.map((one) => ({ node: one }))) });
    const noOp = (name: string) => step(name, "n8n-nodes-base.noOp");
    const read = await readForeign(
      JSON.stringify({
        nodes: [
          step("Start", "n8n-nodes-base.webhook"),
          step("Split", "n8n-nodes-base.splitOut", { fieldToSplitOut: "body.rows" }),
          step("Loop", "n8n-nodes-base.splitInBatches"),
          step("Row", "n8n-nodes-base.set", {
            assignments: { assignments: [{ name: "id", value: "={{ $json.id }}" }] },
          }),
          noOp("After"),
          ...["A", "B", "C"].map(noOp),
        ],
        connections: {
          Start: link(["Split"]),
          Split: link(["Loop"]),
          Loop: link(["After"], ["Row"]),
          Row: link(["Loop"]),
          After: link(["A", "B"]),
          A: link(["B", "C"]),
          B: link(["C", "A"]),
        },
      }),
    );
    const { loop_step: loop, after_ways } = statesOf(read);
    expect(loop?.loop).toMatchObject({
      type: "forEach",
      collection: "$.trigger.body.rows",
      bodyStates: { row: { invoke: { input: { mapping: { id: "$.item.id" } } } } },
    });
    expect(after_ways?.invoke?.src).toBe("core.placeholder");
    expect(outcomesOf(read)["After After"]).toBe("placeholder");
  });
});

describe("an app of Dify", () => {
  it("keeps what has an equal, and tells of every node with its line", async () => {
    const read = await readForeign(exported("dify-support-chat.yml"));
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
    expect(answer?.invoke?.input).toEqual({ mapping: { text: "$.each_part_results_output.output" } });
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
    const text = `shared: &node { type: end, title: End, outputs: [] }\n${stringify(SOUND_DIFY)}`;
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
});

describe("a graph of LangGraph", () => {
  it("keeps its ways, and a placeholder for each function", async () => {
    const read = await readForeign(exported("langgraph-react.json"));
    expect(outcomesOf(read)).toEqual({
      __start__: "mapped",
      agent: "placeholder",
      tools: "placeholder",
      "research:search": "placeholder",
      "research:read": "placeholder",
      __end__: "mapped",
    });
    expect(statesOf(read).agent?.invoke).toMatchObject({
      src: "core.placeholder",
      input: { name: { $literal: "agent" }, product: "LangGraph" },
      onDone: [
        { target: "tools", guard: { params: { key: "$.output.branch", value: "continue" } } },
        { target: "research_search", guard: { params: { value: "look it up" } } },
        { target: "done" },
      ],
    });
    expect(statesOf(read).tools?.invoke?.onDone).toEqual([{ target: "agent" }]);
    expect(read.report.elements[3]?.notes).toContain("It is search of the subgraph research.");
  });
});

describe("edges of a graph of LangGraph", () => {
  const graph = (nodes: Json[], edges: Json[]) => readForeign(JSON.stringify({ nodes, edges }));
  const ids = (...names: string[]) => names.map((id) => ({ id, type: "runnable" }));

  it("are gone along beside the one that is chosen, where they always hold", async () => {
    const read = await graph(ids("__start__", "a", "b", "c", "always", "__end__"), [
      { source: "__start__", target: "a" },
      { source: "a", target: "always" },
      { source: "a", target: "b", conditional: true, data: "left" },
      { source: "a", target: "c", conditional: true },
      { source: "b", target: "__end__" },
      { source: "c", target: "__end__" },
      { source: "always", target: "__end__" },
    ]);
    const both = statesOf(read).a_parallel;
    expect(Object.values(both?.states ?? {}).map(({ initial }) => initial)).toEqual(["always", "a_choice"]);
    expect(both?.states?.a_which_way_way?.states).toMatchObject({
      a_choice: {
        always: [{ target: "b", guard: { params: { key: "$.a_output.branch", value: "left" } } }, { target: "c" }],
      },
    });
  });

  it("are gone along beside the end that may be chosen, and at the start", async () => {
    const read = await graph(ids("__start__", "a", "b", "always", "__end__"), [
      { source: "__start__", target: "always" },
      { source: "__start__", target: "a", conditional: true },
      { source: "__start__", target: "__end__", conditional: true },
      { source: "a", target: "b" },
      { source: "a", target: "__end__", conditional: true },
      { source: "b", target: "__end__" },
      { source: "always", target: "__end__" },
    ]);
    const reached = JSON.stringify(statesOf(read));
    for (const state of ["a", "b", "always", "start_choice", "a_choice"]) expect(reached).toContain(`"${state}":{`);
  });

  it("lead to a step in one place only: what several forks share is for somebody to say", async () => {
    const read = await graph(ids("__start__", "a", "b", "c", "d", "e", "__end__"), [
      { source: "__start__", target: "a", conditional: true },
      { source: "__start__", target: "e", conditional: true },
      ...["b", "c"].map((target) => ({ source: "a", target })),
      ...["c", "d"].map((target) => ({ source: "e", target })),
      ...["b", "c", "d"].map((source) => ({ source, target: "__end__" })),
    ]);
    expect(outcomesOf(read)).toMatchObject({ "After a": "placeholder", "After e": "placeholder" });
    expect(JSON.stringify(read.definition).split('"c":{').length).toBe(2);
  });

  it("come together once all ways have ended, which is told", async () => {
    const read = await graph(ids("__start__", "a", "b", "c", "d", "__end__"), [
      { source: "__start__", target: "a" },
      ...["b", "c"].map((target) => ({ source: "a", target })),
      ...["b", "c"].map((source) => ({ source, target: "d" })),
      { source: "d", target: "__end__" },
    ]);
    expect(statesOf(read).a_parallel).toMatchObject({ type: "parallel", onDone: { target: "d" } });
    expect(read.report.notes.join()).toContain("“d” runs once here");
  });

  it("say that somebody is asked, where the graph stops for that", async () => {
    const nodes = [
      ...ids("__start__", "__end__"),
      { id: "pay", type: "runnable", metadata: { __interrupt: "before,after" } },
    ];
    const read = await graph(nodes, [
      { source: "__start__", target: "pay" },
      { source: "pay", target: "__end__" },
    ]);
    expect(JSON.stringify(read.report)).toContain("The graph stops before and after it for somebody");
  });
});

describe("a document that is not sound", () => {
  const tables: [string, Json, readonly Damage[]][] = [
    ["n8n", SOUND_N8N, DAMAGED_N8N],
    ["Dify", SOUND_DIFY, DAMAGED_DIFY],
    ["LangGraph", SOUND_LANGGRAPH, DAMAGED_LANGGRAPH],
  ];

  it.each(tables)("is refused at its place: %s", async (product, sound, damages) => {
    expect(damages.length).toBeGreaterThanOrEqual(50);
    const write = (value: Json) => (product === "Dify" ? stringify(value) : JSON.stringify(value, null, 2));
    expect((await readForeign(write(sound))).report.elements.length).toBeGreaterThan(2);
    for (const [at, value, path = at] of damages) {
      const text = write(damaged(sound, at, value));
      const { code, details = {}, message } = await refused(text);
      const what = `${at} = ${JSON.stringify(value)}: ${message}`;
      const problems = (details.problems ?? []) as JsonObject[]; // cast: written with the error
      const told = problems.find((problem) => problem.path === path);
      expect([code, told?.path], what).toEqual(["SOURCE_INVALID", path]);
      const line = text.split("\n")[Number(told?.line) - 1] ?? "";
      const [, key] = /\.(\w+)$/.exec(path) ?? [];
      if (key !== undefined && value !== undefined && product !== "Dify") expect(line, what).toContain(`"${key}"`);
      else if (path === at && (typeof value === "number" || typeof value === "string"))
        expect(line, what).toContain(String(value));
      else expect(Number(told?.line), what).toBeGreaterThan(0);
    }
  });

  it.each<[string, string, number]>([
    ["nothing", "", 1],
    ["a text", "hello", 1],
    ["a list", "[]", 1],
    ["an empty object", "{}", 1],
    ["a definition of ours", '{ "initial": "a", "states": {} }', 1],
    ["half of an object", '{\n  "nodes": [', 2],
    ["a comma too few", '{\n  "nodes": []\n  "connections": {}\n}', 3],
    ["a key twice", '{\n  "nodes": [],\n  "nodes": []\n}', 3],
    ["YAML with a tab", "app:\n\tname: x", 2],
    ["YAML with a key twice", "kind: app\nkind: app", 2],
    ["YAML with an unknown alias", "kind: app\napp: *nobody", 2],
    ["lists in lists without end", "[".repeat(200_000), 1],
    ["YAML lists in lists", `a: ${"[".repeat(200_000)}`, 1],
    ["YAML objects in objects", "{a: ".repeat(100_000), 1],
    ["YAML lists on one line", `- ${"- ".repeat(100_000)}`, 1],
    ["TypeScript of Agent Builder", 'import { Agent } from "@openai/agents";', 1],
    ["Python of Agent Builder", "from agents import Agent, Runner", 1],
  ])("is refused with its line: %s", async (_what, source, line) => {
    const { code, status, details } = await refused(source);
    expect([code, status, details?.line]).toEqual([expect.stringMatching(/^SOURCE_/), 422, line]);
  });

  it("changes nothing around it", async () => {
    const nodes = '[{"name":"__proto__","type":"x.y"},{"name":"constructor","type":"n8n-nodes-base.noOp"}]';
    const source = `{"__proto__": {"polluted": true}, "nodes": ${nodes}, "connections": {"__proto__": {"main": [[{"node": "constructor"}]]}}}`;
    const read = await readForeign(source);
    expect(read.report.elements.map(({ state }) => state)).toEqual(["proto", "constructor_step"]);
    expect("polluted" in {}).toBe(false);
  });
});

function damaged(sound: Json, at: string, value: Json | undefined): Json {
  const copy = structuredClone(sound);
  const keys = [...at.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index));
  let inner = copy as { [key: string | number]: Json }; // cast: the tables name objects and lists
  for (const key of keys.slice(0, -1)) inner = inner[key] as typeof inner; // cast: as above
  const last = keys.at(-1) ?? "";
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  return copy;
}
