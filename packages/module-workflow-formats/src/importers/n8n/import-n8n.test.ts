import type { Json, JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { expectRefusals } from "../../importing/testing/damaged-documents.ts";
import { documentAt, outcomesOf, settingsOf, statesOf } from "../../importing/testing/read-imports.ts";
import { DAMAGED, SOUND } from "./testing/damaged-n8n.ts";

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
    for (const word of ["proxy", "forEach", "option sometimes", "Its answer as file", "names no field to match by"])
      expect(text).toContain(word);
    expect(text).not.toContain("timeout");
  });

  it("keeps what has an equal, and tells of every node with its line", async () => {
    const read = await readForeign(documentAt("testing/n8n-order-support.json", import.meta.url));
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
    ["a file", "={{ $binary.data.fileName }}", "placeholder", null],
    ["what the server has", "={{ $env.KEY }}", "placeholder", null],
    ["a function", "={{ (() => process.exit())() }}", "placeholder", null],
    ["somebody who is not there", "={{ $('Nobody').item.json.x }}", "placeholder", null],
  ])("translates an expression only where it is exact: %s", async (_what, value, outcome, expected) => {
    const set = { assignments: { assignments: [{ name: "v", value }] } };
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
      collection: "$.split_output.result",
      bodyStates: { row: { invoke: { input: { mapping: { id: "$.item.id" } } } } },
    });
    expect(after_ways?.invoke?.src).toBe("core.placeholder");
    expect(outcomesOf(read)["After After"]).toBe("placeholder");
  });

  it("is refused at its place where it is not sound", () => expectRefusals(SOUND, DAMAGED));

  it("changes nothing around it", async () => {
    const nodes = '[{"name":"__proto__","type":"x.y"},{"name":"constructor","type":"n8n-nodes-base.noOp"}]';
    const source = `{"__proto__": {"polluted": true}, "nodes": ${nodes}, "connections": {"__proto__": {"main": [[{"node": "constructor"}]]}}}`;
    const read = await readForeign(source);
    expect(read.report.elements.map(({ state }) => state)).toEqual(["proto", "constructor_step"]);
    expect("polluted" in {}).toBe(false);
  });
});

const KEY = "sk-proj-abcdefghijklmnop1234";
const http = (name: string, parameters: JsonObject) => ({ name, type: "n8n-nodes-base.httpRequest", parameters });
const listed = (value: string, name: string) => ({ parameters: [{ name, value }] });

it("credentials of n8n never reach the definition or the report, wherever they are written", async () => {
  const nodes = [
    { name: "Start", type: "n8n-nodes-base.manualTrigger", parameters: {} },
    http("Address", { url: "https://ada:hunter2pass@api.example.com/x" }),
    http("In url", { url: "https://api.example.com/x?api_key=plainvalue7" }),
    http("Query", { url: "https://a.example", sendQuery: true, queryParameters: listed("plainvalue7", "key") }),
    http("Header", { url: "https://a.example", sendHeaders: true, headerParameters: listed(`Bearer ${KEY}`, "X-Own") }),
    http("Body", { method: "POST", url: "https://a.example", sendBody: true, jsonBody: '{"password":"plainvalue7"}' }),
    { name: "Code", type: "n8n-nodes-base.code", parameters: { jsCode: `const k = "${KEY}"; // Bearer ${KEY}` } },
    { name: "Fields", type: "n8n-nodes-base.set", parameters: { mode: "raw", jsonOutput: `{"note":"use ${KEY}"}` } },
  ];
  const links = nodes
    .slice(1)
    .map(({ name }, index) => [nodes[index]?.name ?? "", { main: [[{ node: name, type: "main", index: 0 }]] }]);
  const read = await readForeign(JSON.stringify({ name: "Keys", nodes, connections: Object.fromEntries(links) }));
  const text = JSON.stringify(read);
  for (const secret of [KEY, "hunter2pass", "plainvalue7"]) expect(text).not.toContain(secret);
  expect(read.definition.states).toMatchObject({
    address: {
      invoke: {
        input: {
          url: "https://api.example.com/x",
          headers: { Authorization: { $secret: "address-authorization", prefix: "Basic " } },
        },
      },
    },
    header: { invoke: { input: { headers: { "X-Own": { $secret: "header-x-own" } } } } },
    in_url: {
      invoke: {
        input: {
          url: "https://api.example.com/x?api_key={api_key}",
          urlSecrets: { api_key: { $secret: "in-url-api-key" } },
        },
      },
    },
    query: { invoke: { src: "core.http", input: { query: { key: { $secret: "query-key" } } } } },
    body: { invoke: { src: "core.placeholder" } },
  });
  expect(read.report.settings.filter(({ kind }) => kind === "credential")).toHaveLength(5);
});

it("triggers that begin in different places become one start, by what the input names", async () => {
  const of = (name: string, type: string) => ({ name, type: `n8n-nodes-base.${type}`, parameters: {} });
  const nodes = [of("Hook", "webhook"), of("Daily", "scheduleTrigger"), of("One", "wait"), of("Two", "wait")];
  const to = (node: string) => ({ main: [[{ node, type: "main", index: 0 }]] });
  const read = await readForeign(
    JSON.stringify({ name: "T", nodes, connections: { Hook: to("One"), Daily: to("Two") } }),
  );
  const from = (name: string) => ({ params: { key: "$.trigger.startedBy", value: name } });
  expect(read.definition).toMatchObject({
    initial: "start",
    states: {
      start: {
        always: [
          { target: "one", guard: from("Hook") },
          { target: "two", guard: from("Daily") },
          { target: "other_trigger" },
        ],
      },
      other_trigger: { invoke: { src: "core.fail" } },
    },
  });
  expect(read.report.elements).toContainEqual(expect.objectContaining({ name: "Start", outcome: "noted" }));
  expect(read.report.settings.map(({ advice }) => advice).join()).toContain('`startedBy`: "Daily"');
});

it("conditions whose ways meet again are followed once each, however many there are", async () => {
  const to = (...outputs: string[]) => ({ main: outputs.map((node) => [{ node, type: "main", index: 0 }]) });
  const value1 = "={{ $json.city }}";
  const names = Array.from({ length: 150 }, (_, index) => `If ${index}`);
  const nodes = [
    { name: "Start", type: "n8n-nodes-base.manualTrigger" },
    ...names.map((name) => ({
      name,
      type: "n8n-nodes-base.if",
      typeVersion: 1,
      parameters: { conditions: { string: [{ value1, value2: name }] } },
    })),
    {
      name: "Last",
      type: "n8n-nodes-base.set",
      typeVersion: 3.4,
      parameters: { assignments: { assignments: [{ name: "town", type: "string", value: value1 }] } },
    },
  ];
  const after = [...names.slice(1), "Last"];
  const connections = Object.fromEntries(
    names.map((name, index) => [name, to(after[index] ?? "", after[index] ?? "")]),
  );
  const source = JSON.stringify({ name: "Ladder", nodes, connections: { Start: to("If 0"), ...connections } });
  const read = await readForeign(source);
  expect(statesOf(read).last).toMatchObject({ invoke: { input: { mapping: { town: "{{ $.trigger.city }}" } } } });
});

it("what comes round a loop of steps that hand their items on is what came in", async () => {
  const to = (...outputs: string[]) => ({ main: outputs.map((node) => [{ node, type: "main", index: 0 }]) });
  const reads = { conditions: { string: [{ value1: "={{ $json.city }}", value2: "x" }] } };
  const nodes = [
    { name: "Start", type: "n8n-nodes-base.manualTrigger" },
    { name: "First", type: "n8n-nodes-base.noOp" },
    { name: "Again?", type: "n8n-nodes-base.if", typeVersion: 1, parameters: reads },
  ];
  const connections = { Start: to("First"), First: to("Again?"), "Again?": to("First") };
  const read = await readForeign(JSON.stringify({ name: "Round", nodes, connections }));
  expect(outcomesOf(read)).toMatchObject({ "Again?": "mapped" });
  expect(statesOf(read).again?.always).toMatchObject([
    { guard: { params: { key: "$.first_received.city" } }, actions: [{ params: { path: "$.first_received" } }] },
    {},
  ]);
});

describe("what n8n itself passes over", () => {
  const node = (name: string, type: string, more: object = {}) => ({ name, type: `n8n-nodes-base.${type}`, ...more });
  const to = (...names: string[]) => ({ main: [names.map((name) => ({ node: name, type: "main", index: 0 }))] });
  const nodes = [
    node("Start", "manualTrigger"),
    node("One", "noOp", { waitBetweenTries: null, notes: null, position: null }),
  ];
  const sound = { name: "Sound", nodes, connections: { Start: to("One") } };

  it("is left out: settings that are null, and connections of nodes that are gone, which the report names", async () => {
    const connections = { Start: to("One", "Gone", "__proto__"), Nobody: to("One"), constructor: to("One") };
    const { definition, report } = await readForeign(
      JSON.stringify({ ...sound, connections, settings: { errorWorkflow: null } }),
    );
    expect(Object.keys(statesOf({ definition }))).toContain("one");
    for (const name of ["“Start” to “Gone”", "“Start” to “__proto__”", "“Nobody” to “One”", "“constructor” to “One”"])
      expect(report.elements).toContainEqual(expect.objectContaining({ name, outcome: "ignored" }));
  });

  it.each([
    ["a list of one", [sound]],
    ["data", { data: sound }],
    ["workflow", { workflow: sound }],
    ["both", [{ data: { workflow: sound } }]],
  ])("is what stands around it: %s", async (_what, wrapped) => {
    const text = JSON.stringify(wrapped, null, 2);
    const { name, report } = await readForeign(text);
    expect(name).toBe("Sound");
    const one = report.elements.find((element) => element.name === "One");
    expect(
      text
        .split("\n")
        .slice((one?.line ?? 0) - 1, (one?.line ?? 0) + 1)
        .join(),
    ).toContain('"One"');
    const damaged = text.replace('"type": "n8n-nodes-base.noOp"', '"type": 7');
    const line = damaged.split("\n").findIndex((words) => words.includes('"type": 7')) + 1;
    await expect(readForeign(damaged)).rejects.toMatchObject({ code: "SOURCE_INVALID", details: { line } });
  });

  it("is not passed over where there are several workflows", async () => {
    await expect(readForeign(JSON.stringify([sound, sound]))).rejects.toThrow("This holds 2 workflows");
  });
});

describe("nothing is silently another", () => {
  const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
    ...{ name, type: `n8n-nodes-base.${type}`, typeVersion: 3.4, parameters },
    ...more,
  });
  const chain = (...nodes: { name: string }[]) =>
    JSON.stringify({
      name: "Chain",
      nodes,
      connections: Object.fromEntries(
        nodes
          .slice(1)
          .map(({ name }, index) => [nodes[index]?.name, { main: [[{ node: name, type: "main", index: 0 }]] }]),
      ),
    });
  const uses = (key: string) =>
    node("Use", "set", {
      assignments: { assignments: [{ name: "town", type: "string", value: `={{ $json.${key} }}` }] },
    });

  it.each([
    ["what it writes, not what came in", { jsonOutput: '{"city":"Oslo"}' }, "city", "$.raw_output.city"],
    ["with expressions in it", { jsonOutput: '={"city":"{{ $json.a }}","n":{{ $json.n }}}' }, "n", "$.raw_output.n"],
    [
      "and what came in beside it",
      { jsonOutput: '{"city":"Oslo"}', includeOtherFields: true },
      "street",
      "$.trigger.street",
    ],
    ["its own first", { jsonOutput: '{"city":"Oslo"}', includeOtherFields: true }, "city", "$.raw_output.city"],
  ])("a Set of raw JSON hands on %s", async (_what, parameters, key, town) => {
    const read = await readForeign(
      chain(node("Start", "executeWorkflowTrigger"), node("Raw", "set", { mode: "raw", ...parameters }), uses(key)),
    );
    expect(statesOf(read).use).toMatchObject({ invoke: { input: { mapping: { town: `{{ ${town} }}` } } } });
  });

  it("a Set of raw JSON that drops what came in has nothing where it is asked for it", async () => {
    const raw = node("Raw", "set", { mode: "raw", jsonOutput: '{"city":"Oslo"}' });
    const read = await readForeign(chain(node("Start", "executeWorkflowTrigger"), raw, uses("street")));
    expect(statesOf(read).use_values?.invoke?.input?.inputs).toEqual({ $json: "$.raw_output" });
  });

  it.each([
    ["POST", {}, { maxAttempts: 1 }],
    ["DELETE", {}, { maxAttempts: 1 }],
    ["POST", { retryOnFail: true, maxTries: 4 }, { maxAttempts: 4 }],
    ["GET", {}, undefined],
  ])("a %s is sent as often as n8n sends it: %j", async (method, more, retry) => {
    const request = node("Send", "httpRequest", { method, url: "https://example.com" }, more);
    const read = await readForeign(chain(node("Start", "manualTrigger"), request));
    const invoke = statesOf(read).send?.invoke;
    expect(invoke?.src).toBe("core.http");
    if (retry === undefined) expect(invoke?.retry).toBeUndefined();
    else expect(invoke?.retry).toMatchObject(retry);
  });

  it.each([
    ["cron", { triggerTimes: { item: [{ mode: "everyX", value: 5, unit: "minutes" }] } }, "every 5 minutes"],
    ["cron", { triggerTimes: { item: [{ mode: "custom", cronExpression: "0 9 * * 1" }] } }, "0 9 * * 1"],
    [
      "cron",
      {
        triggerTimes: {
          item: [
            { hour: 9, minute: 5 },
            { mode: "everyMonth", dayOfMonth: 3 },
          ],
        },
      },
      "every day at 9:05; every month on day 3 at 14:00",
    ],
    ["interval", { interval: 10, unit: "seconds" }, "every 10 seconds"],
    ["interval", {}, "every 1 seconds"],
  ])("%s says when it fires: %j", async (type, parameters, words) => {
    const read = await readForeign(chain(node("When", type, parameters), node("Do", "noOp")));
    expect(read.report.settings).toContainEqual(
      expect.objectContaining({ kind: "trigger", name: "When", advice: `Make a schedule trigger: ${words}.` }),
    );
  });
});
