import type { JsonObject } from "@oven/contract";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { withoutCredentials } from "./credentials.ts";
import { readForeign } from "./read-foreign.ts";

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
    query: { invoke: { src: "core.placeholder" } },
    body: { invoke: { src: "core.placeholder" } },
  });
  expect(read.report.settings.filter(({ kind }) => kind === "credential")).toHaveLength(5);
});

it("nor do those of Dify", async () => {
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

it("triggers that begin in different places become one start with a choice", async () => {
  const of = (name: string, type: string) => ({ name, type: `n8n-nodes-base.${type}`, parameters: {} });
  const nodes = [of("Hook", "webhook"), of("Daily", "scheduleTrigger"), of("One", "wait"), of("Two", "wait")];
  const to = (node: string) => ({ main: [[{ node, type: "main", index: 0 }]] });
  const read = await readForeign(
    JSON.stringify({ name: "T", nodes, connections: { Hook: to("One"), Daily: to("Two") } }),
  );
  expect(read.definition).toMatchObject({
    initial: "start",
    states: {
      start: {
        invoke: {
          src: "core.placeholder",
          onDone: [{ target: "one", guard: { params: { key: "$.output.branch", value: "Hook" } } }, { target: "two" }],
        },
      },
    },
  });
  expect(read.report.elements).toContainEqual(expect.objectContaining({ name: "Start", outcome: "placeholder" }));
});

it("words that only sound like credentials stay", () => {
  for (const text of [
    "Bearer of bad news",
    "https://a.example/x?page=2&key={{ $.k }}",
    "Basic understanding",
    "sk-short",
  ])
    expect(withoutCredentials(text)).toBe(text);
});
