import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChainStory, json, startChains } from "../formats/chains/testing/chain-story.ts";

interface Asked {
  method: string;
  url: string;
  headers: Record<string, unknown>;
  body: string;
}

const asked: Asked[] = [];
let statuses: number[] = [];
/** Answers with what it was asked, and the next of the statuses. */
const shop = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = "", url = "", headers } = request;
  asked.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
  response.writeHead(statuses.shift() ?? 200, { "content-type": "application/json" });
  response.end(JSON.stringify({ id: 7, total: 120, lines: [{ sku: "a" }, { sku: "b" }], asked: url }));
});
let story: ChainStory;
let origin: string;

beforeAll(async () => {
  shop.listen(0, "127.0.0.1");
  await once(shop, "listening");
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`; // cast: it listens on TCP
  story = await startChains({ outboundAllow: [origin] });
});
beforeEach(() => {
  asked.length = 0;
  statuses = [];
});
afterAll(async () => {
  await story.oven.stop();
  shop.closeAllConnections();
  shop.close();
});

/** Imports a document that needs nothing more, and runs it to its end. */
async function run(document: Json, input: JsonObject) {
  const source = JSON.stringify(document);
  const made = await story.oven.call("POST", "workflow-imports", { source }, { key: story.key });
  expect([made.status, made.body.draft, made.body.problems]).toEqual([201, false, []]);
  const at = `agent-workflows/${made.body.workflow.id}/execute?wait=30`;
  const { body } = await story.oven.call("POST", at, { input }, { key: story.key });
  return { report: made.body.report, ...body };
}

describe("a workflow of n8n with requests", () => {
  const node = (name: string, type: string, parameters: JsonObject = {}, more: JsonObject = {}) => ({
    ...{ name, type: `n8n-nodes-base.${type}`, typeVersion: 4.2, position: [0, 0], parameters },
    ...more,
  });
  const link = (...outputs: string[][]) => ({ main: outputs.map((names) => names.map((one) => ({ node: one }))) });
  const given = (parameters: Json[]) => ({ parameters });
  const document = (options: JsonObject, more: JsonObject = {}): JsonObject => ({
    name: "Orders",
    nodes: [
      node("Webhook", "webhook"),
      node(
        "Get order",
        "httpRequest",
        {
          url: `=${origin}/orders/{{ $json.body.id }}`,
          sendQuery: true,
          queryParameters: given([{ name: "full", value: "yes" }]),
          sendHeaders: true,
          headerParameters: given([{ name: "X-Shop", value: "=shop {{ $json.body.id }}" }]),
          options,
        },
        more,
      ),
      node("Large?", "if", {
        conditions: {
          options: { caseSensitive: true, typeValidation: "loose", version: 2 },
          combinator: "and",
          conditions: [
            { leftValue: "={{ $json.total }}", rightValue: "100", operator: { type: "number", operation: "gt" } },
            { leftValue: "={{ $json.cancelled }}", operator: { type: "string", operation: "notExists" } },
          ],
        },
      }),
      node("Post", "httpRequest", {
        method: "POST",
        url: `${origin}/large`,
        sendBody: true,
        specifyBody: "json",
        jsonBody: '={ "order": {{ $("Get order").item.json.id }}, "lines": {{ JSON.stringify($json.lines) }} }',
      }),
      node("Small", "set", { assignments: { assignments: [{ name: "size", value: "small", type: "string" }] } }),
      node("Failed", "set", { assignments: { assignments: [{ name: "size", value: "none", type: "string" }] } }),
    ],
    connections: {
      Webhook: link(["Get order"]),
      "Get order": link(["Large?"], ["Failed"]),
      "Large?": link(["Post"], ["Small"]),
    },
  });

  it("asks what it asked, and goes on with the answer to its end", async () => {
    const { status, output } = await run(document({}), { body: { id: 7 } });
    expect(status).toBe("completed");
    expect(output).toMatchObject({ status: 200, body: { asked: "/large" } });
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /orders/7?full=yes", "POST /large"]);
    expect(asked[0]?.headers["x-shop"]).toBe("shop 7");
    expect(JSON.parse(asked[1]?.body ?? "")).toEqual({ order: 7, lines: [{ sku: "a" }, { sku: "b" }] });
  });

  it("fails where n8n does, goes on where it goes on, and leads where errors lead", async () => {
    statuses = [404];
    expect((await run(document({}), { body: { id: 8 } })).status).toBe("failed");
    expect(asked).toHaveLength(1);
    statuses = [404];
    const never = { response: { response: { neverError: true } } };
    expect((await run(document(never), { body: { id: 8 } })).output).toMatchObject({ body: { asked: "/large" } });
    statuses = [404];
    const led = await run(document({}, { onError: "continueErrorOutput" }), { body: { id: 8 } });
    expect([led.status, led.output]).toEqual(["completed", { size: "none" }]);
  });
});

describe("nodes of n8n in their older versions", () => {
  const old = (name: string, type: string, typeVersion: number, parameters: JsonObject): JsonObject => ({
    ...{ name, type: `n8n-nodes-base.${type}`, typeVersion, position: [0, 0], parameters },
  });
  const link = (...outputs: string[][]) => ({ main: outputs.map((names) => names.map((one) => ({ node: one }))) });

  it("ask, choose and write as they did", async () => {
    const rule = (value2: number, output: number): JsonObject => ({ operation: "equal", value2, output });
    const write = (name: string) =>
      old(name, "set", 2, { keepOnlySet: true, values: { string: [{ name: "went", value: name }] } });
    const document: JsonObject = {
      name: "Old",
      nodes: [
        old("Webhook", "webhook", 1, {}),
        old("Ask", "httpRequest", 1, {
          ...{ requestMethod: "POST", url: `${origin}/old`, options: { fullResponse: true, ignoreResponseCode: true } },
          queryParametersUi: { parameter: [{ name: "q", value: "={{ $json.body.q }}" }] },
          headerParametersUi: { parameter: [{ name: "X-Old", value: "yes" }] },
          bodyParametersUi: { parameter: [{ name: "n", value: "={{ $json.body.n }}" }] },
        }),
        old("Status", "switch", 1, {
          ...{ value1: "={{ $json.statusCode }}", fallbackOutput: 3 },
          rules: { rules: [rule(404, 2), rule(200, 0)] },
        }),
        // Without an operation numbers are compared by "smaller".
        old("Few?", "if", 1, {
          conditions: { number: [{ value1: "={{ $node['Webhook'].json.body.n }}", value2: 3 }] },
        }),
        ...["few", "many", "missing", "other"].map(write),
      ],
      connections: {
        Webhook: link(["Ask"]),
        Ask: link(["Status"]),
        Status: link(["Few?"], [], ["missing"], ["other"]),
        "Few?": link(["few"], ["many"]),
      },
    };
    const went = async (n: number, status = 200) => {
      statuses = [status];
      return (await run(document, { body: { q: "a b", n } })).output;
    };
    expect(await went(1)).toEqual({ went: "few" });
    expect(asked[0]).toMatchObject({ method: "POST", url: "/old?q=a+b", body: '{"n":1}', headers: { "x-old": "yes" } });
    expect(await went(3)).toEqual({ went: "many" });
    expect(await went(1, 404)).toEqual({ went: "missing" });
    expect(await went(1, 500)).toEqual({ went: "other" });
  });
});

describe("an app of Dify", () => {
  const at = (id: string, data: JsonObject, parentId?: string): JsonObject => ({
    id,
    ...(parentId === undefined ? {} : { parentId }),
    data: { title: id, ...data },
  });
  const edge = (source: string, target: string, sourceHandle = "source") => ({ source, target, sourceHandle });
  const app = (nodes: JsonObject[], edges: JsonObject[], variables: JsonObject[] = []) => ({
    kind: "app",
    app: { name: "App", mode: "workflow" },
    workflow: { conversation_variables: variables, graph: { nodes, edges } },
  });
  const start = at("start", { type: "start", variables: [{ variable: "n", type: "number" }] });
  const end = (...outputs: [string, ...string[]][]) =>
    at("end", {
      type: "end",
      outputs: outputs.map(([variable, ...value_selector]) => ({ variable, value_selector })),
    });

  it("leaves a loop at its exit node, and keeps what its variables have", async () => {
    const loop = at("loop", {
      type: "loop",
      loop_count: 10,
      break_conditions: [],
      loop_variables: [
        { label: "sum", var_type: "number", value_type: "constant", value: "0" },
        { label: "seen", var_type: "array[number]", value_type: "constant", value: "[]" },
      ],
      start_node_id: "begin",
    });
    const more = (variable: string, operation: string, input_type: string, value: Json): JsonObject => ({
      ...{ variable_selector: ["loop", variable], operation, input_type, value },
    });
    const nodes = [
      start,
      loop,
      at("begin", { type: "loop-start" }, "loop"),
      at("add", { type: "assigner", items: [more("sum", "+=", "constant", 1)] }, "loop"),
      at(
        "enough",
        {
          type: "if-else",
          cases: [
            {
              case_id: "yes",
              logical_operator: "and",
              conditions: [
                {
                  ...{ variable_selector: ["loop", "sum"], comparison_operator: "≥", varType: "number" },
                  value: "{{#start.n#}}",
                },
              ],
            },
          ],
        },
        "loop",
      ),
      at("exit", { type: "loop-end" }, "loop"),
      at("note", { type: "assigner", items: [more("seen", "append", "variable", ["loop", "sum"])] }, "loop"),
      end(["sum", "loop", "sum"], ["seen", "loop", "seen"]),
    ];
    const edges = [
      edge("start", "loop"),
      edge("begin", "add"),
      edge("add", "enough"),
      edge("enough", "exit", "yes"),
      edge("enough", "note", "false"),
      edge("loop", "end"),
    ];
    const { status, output } = await run(app(nodes, edges), { n: 3 });
    expect([status, output]).toEqual(["completed", { sum: 3, seen: [1, 2] }]);
  });

  it("clears a variable to what its type is when it is empty, and takes constants as they stand", async () => {
    const typed: [string, string, Json][] = [
      ["text", "string", "a"],
      ["count", "number", 4],
      ["list", "array[string]", ["a"]],
      ["map", "object", { a: 1 }],
      ["flag", "boolean", true],
    ];
    const clear = typed.map(([name]) => ({ variable_selector: ["conversation", name], operation: "clear" }));
    const set = (name: string, value: Json): JsonObject => ({
      ...{ variable_selector: ["conversation", name], operation: "set", input_type: "constant", value },
    });
    const items = [...clear, set("text", "{{#start.n#}} $.x {{ y }}"), set("map", '{"b":2}')];
    const nodes = [
      start,
      at("clear", { type: "assigner", items }),
      end(...typed.map(([name]): [string, string, string] => [name, "conversation", name])),
    ];
    const variables = typed.map(([name, value_type, value]) => ({ name, value_type, value }));
    const { output } = await run(app(nodes, [edge("start", "clear"), edge("clear", "end")], variables), { n: 1 });
    expect(output).toEqual({ text: "{{#start.n#}} $.x {{ y }}", count: 0, list: [], map: { b: 2 }, flag: false });
  });

  it("takes a status of 400 or more for an answer, unless somebody says what happens then", async () => {
    const request = (more: JsonObject) =>
      app(
        [
          start,
          at("ask", { type: "http-request", method: "get", url: `${origin}/{{#start.n#}}`, ...more }),
          end(["status", "ask", "status_code"]),
          at("failed", { type: "end", outputs: [{ variable: "n", value_selector: ["start", "n"] }] }),
        ],
        [edge("start", "ask"), edge("ask", "end"), edge("ask", "failed", "fail-branch")],
      );
    statuses = [404];
    expect((await run(request({}), { n: 1 })).output).toEqual({ status: 404 });
    statuses = [404];
    expect((await run(request({ error_strategy: "fail-branch" }), { n: 2 })).output).toEqual({ n: 2 });
    statuses = [500, 503];
    const retry_config = { retry_enabled: true, max_retries: 2, retry_interval: 1 };
    expect((await run(request({ retry_config }), { n: 3 })).output).toEqual({ status: 200 });
    expect(asked.map(({ url }) => url)).toEqual(["/1", "/2", "/3", "/3", "/3"]);
  });

  it("hands on what each item gave, and nothing for one that failed", async () => {
    const nodes = [
      at("start", { type: "start", variables: [{ variable: "rows", type: "json_object" }] }),
      at("each", {
        type: "iteration",
        iterator_selector: ["start", "rows"],
        output_selector: ["ask", "status_code"],
        start_node_id: "begin",
        error_handle_mode: "continue-on-error",
      }),
      at("begin", { type: "iteration-start" }, "each"),
      at(
        "ask",
        {
          type: "http-request",
          method: "get",
          url: `${origin}/{{#each.item#}}`,
          error_strategy: "none",
          retry_config: { retry_enabled: true, max_retries: 0 },
        },
        "each",
      ),
      end(["all", "each", "output"]),
    ];
    statuses = [200, 400, 200];
    const { output, status } = await run(
      app(nodes, [edge("start", "each"), edge("begin", "ask"), edge("each", "end")]),
      {
        rows: ["a", "b", "c"],
      },
    );
    expect([status, output]).toEqual(["completed", { all: [200, null, 200] }]);
  });

  it("asks models for one of its classes, and for what it takes out, with texts that stay as they are", async () => {
    const model = { provider: "openai", name: "gpt-4o", mode: "chat", completion_params: { seed: 7, stop: ["x"] } };
    const nodes = [
      at("start", { type: "start", variables: [{ variable: "mail", type: "paragraph" }] }),
      at("kind", {
        type: "question-classifier",
        query_variable_selector: ["start", "mail"],
        model,
        classes: [
          { id: "1", name: "Order" },
          { id: "2", name: "Other" },
        ],
        instruction: "Costs {{ in $ }} count.",
      }),
      at("take", {
        type: "parameter-extractor",
        query: ["start", "mail"],
        model,
        parameters: [{ name: "count", type: "number", required: true, description: "How many" }],
        reasoning_mode: "function_call",
      }),
      at("write", {
        type: "llm",
        model,
        prompt_template: [
          { role: "system", text: "$.secret {{ stays }}" },
          { role: "user", text: "{{#take.count#}}" },
        ],
      }),
      end(["kind", "kind", "class_name"], ["count", "take", "count"], ["text", "write", "text"]),
    ];
    const edges = [edge("start", "kind"), edge("kind", "take", "1"), edge("take", "write"), edge("write", "end")];
    story.answers.push(json({ category: "Order" }), json({ count: 2 }), {
      text: "Two.",
      usage: { input: 1, output: 1 },
    });
    const mail = "I want 2 {{ $.x }} <<data.y>>";
    const { output, report, error } = await run(app(nodes, edges), { mail });
    expect(error).toBeNull();
    expect(output).toEqual({ kind: "Order", count: 2, text: "Two." });
    const [classify, extract, write] = story.asked().slice(-3);
    expect(classify).toMatchObject({ user: mail, system: expect.stringContaining("Costs {{ in $ }} count.") });
    expect(extract?.user).toBe(mail);
    expect(write).toMatchObject({ system: "$.secret {{ stays }}", user: "2" });
    expect(JSON.parse(write?.body ?? "").seed).toBe(7);
    expect(JSON.stringify(report)).toContain("Settings of its model were not imported: stop.");
  });
});
