import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectOnlyPlaceholdersOpen, type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { documentAt } from "../../importing/testing/read-imports.ts";
import { called, chainOf, n8nNode } from "./testing/n8n-documents.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
beforeEach(() => {
  story.shop.asked = [];
  story.shop.statuses = [];
});
afterAll(() => story.stop());

const run = (document: Json, input: JsonObject) => story.run(document, input);

describe("an exported document of n8n", () => {
  it("is previewed with what validates", () =>
    expectOnlyPlaceholdersOpen(story, documentAt("testing/n8n-order-support.json", import.meta.url)));

  it("becomes a workflow that runs to its end", async () => {
    const made = await story.call("POST", "workflow-imports", {
      source: documentAt("testing/n8n-triage.json", import.meta.url),
    });
    expect([made.status, made.body.draft, made.body.problems]).toEqual([201, false, []]);
    const at = `agent-workflows/${made.body.workflow.id}/execute?wait=20`;
    const small = await story.call("POST", at, { input: { body: { subject: "A REFUND please", size: 1 } } });
    expect(small.body).toMatchObject({
      status: "completed",
      output: { all: "money gets A REFUND please! money gets A REFUND please?" },
    });
    const other = await story.call("POST", at, { input: { body: { subject: "Hello", size: 2 } } });
    expect(other.body.output).toEqual({ all: "others gets Hello! others gets Hello?" });
    story.answers.push({ text: "We look into it.", usage: { input: 10, output: 5 } });
    const large = await story.call("POST", at, { input: { body: { subject: "Help", size: 10 } } });
    expect(large.body).toMatchObject({ status: "completed", output: { text: "We look into it." } });
    expect(story.asked().at(-1)).toMatchObject({ system: "Be short.", user: "Answer the ticket: Help" });
  });

  it("waits as a draft while it has placeholders", async () => {
    const made = await story.call("POST", "workflow-imports", {
      source: documentAt("testing/n8n-order-support.json", import.meta.url),
    });
    expect([made.status, made.body.draft]).toEqual([201, true]);
    const { id } = made.body.workflow;
    const draft = await story.call("GET", `agent-workflows/${id}/draft`);
    expect(draft.body.definition.states.shorten.invoke.src).toBe("core.placeholder");
    const published = await story.call("PUT", `agent-workflows/${id}`, { definition: draft.body.definition });
    expect([published.status, published.body.error.code]).toEqual([400, "INVALID_DEFINITION"]);
    expect(published.body.error.details.problems).toMatchObject([
      {
        path: "$.states.shorten.invoke.input",
        message:
          "core.placeholder: “Shorten” (n8n-nodes-base.code of n8n) has no equivalent: its code is Python, which is not carried over yet",
        fix: "Replace it by a node that does the same, or delete it.",
      },
    ]);
    const run = await story.call("POST", `agent-workflows/${id}/execute?wait=20`, {});
    expect(run.body).toMatchObject({ status: "failed", error: expect.stringContaining("not finished") });
    expect(JSON.stringify([made.body, draft.body])).not.toContain("written-out-key");
  });
});

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
          url: `=${story.shop.origin}/orders/{{ $json.body.id }}`,
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
        url: `${story.shop.origin}/large`,
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
    expect(story.shop.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /orders/7?full=yes",
      "POST /large",
    ]);
    expect(story.shop.asked[0]?.headers["x-shop"]).toBe("shop 7");
    expect(JSON.parse(story.shop.asked[1]?.body ?? "")).toEqual({ order: 7, lines: [{ sku: "a" }, { sku: "b" }] });
  });

  it("fails where n8n does, goes on where it goes on, and leads where errors lead", async () => {
    story.shop.statuses = [404];
    expect((await run(document({}), { body: { id: 8 } })).status).toBe("failed");
    expect(story.shop.asked).toHaveLength(1);
    story.shop.statuses = [404];
    const never = { response: { response: { neverError: true } } };
    expect((await run(document(never), { body: { id: 8 } })).output).toMatchObject({ body: { asked: "/large" } });
    story.shop.statuses = [404];
    const led = await run(document({}, { onError: "continueErrorOutput" }), { body: { id: 8 } });
    expect([led.status, led.output]).toEqual(["completed", { size: "none" }]);
  });
});

describe("a request of n8n with a form", () => {
  const fields = {
    parameters: [
      { name: "a", value: "={{ $json.a }}" },
      { name: "b", value: "x y" },
    ],
  };
  const document = (contentType: string, bodyParameters: JsonObject) =>
    chainOf(
      called("Start"),
      n8nNode("Send", "httpRequest", {
        ...{ method: "POST", url: `${story.shop.origin}/form`, sendBody: true, contentType, bodyParameters },
      }),
    );

  it("sends its fields, encoded or as parts", async () => {
    story.shop.asked = [];
    await run(document("form-urlencoded", fields), { a: 1 });
    await run(document("multipart-form-data", fields), { a: 1 });
    const [encoded, parts] = story.shop.asked;
    expect([encoded?.headers["content-type"], encoded?.body]).toEqual([
      expect.stringContaining("application/x-www-form-urlencoded"),
      "a=1&b=x+y",
    ]);
    expect(parts?.headers["content-type"]).toContain("multipart/form-data");
    expect(parts?.body).toMatch(/name="a"\r\n\r\n1\r\n.*name="b"\r\n\r\nx y\r\n/s);
  });

  it("is a placeholder where a part is a file", async () => {
    const file = { parameters: [{ name: "f", parameterType: "formBinaryData", inputDataFieldName: "data" }] };
    const { report } = await story.preview(document("multipart-form-data", file));
    const send = report.elements.find(({ name }) => name === "Send");
    expect([send?.outcome, send?.notes]).toEqual(["placeholder", ["it sends a file"]]);
  });
});

describe("nodes of n8n in their older versions", () => {
  const old = (name: string, type: string, typeVersion: number, parameters: JsonObject): JsonObject => ({
    ...{ name, type: `n8n-nodes-base.${type}`, typeVersion, position: [0, 0], parameters },
  });
  const link = (...outputs: string[][]) => ({ main: outputs.map((names) => names.map((one) => ({ node: one }))) });

  it("hand on an answer as text in its field", async () => {
    story.shop.replies = [{ type: "text/html", body: "<b>Hi</b>" }];
    const document: JsonObject = {
      name: "Old page",
      nodes: [
        old("Start", "executeWorkflowTrigger", 1, {}),
        old("Ask", "httpRequest", 1, {
          url: `${story.shop.origin}/page`,
          responseFormat: "string",
          dataPropertyName: "page",
        }),
        old("Use", "set", 2, { keepOnlySet: true, values: { string: [{ name: "v", value: "={{ $json.page }}" }] } }),
      ],
      connections: { Start: link(["Ask"]), Ask: link(["Use"]) },
    };
    expect((await run(document, {})).output).toEqual({ v: "<b>Hi</b>" });
  });

  it("ask, choose and write as they did", async () => {
    const rule = (value2: number, output: number): JsonObject => ({ operation: "equal", value2, output });
    const write = (name: string) =>
      old(name, "set", 2, { keepOnlySet: true, values: { string: [{ name: "went", value: name }] } });
    const document: JsonObject = {
      name: "Old",
      nodes: [
        old("Webhook", "webhook", 1, {}),
        old("Ask", "httpRequest", 1, {
          ...{
            requestMethod: "POST",
            url: `${story.shop.origin}/old`,
            options: { fullResponse: true, ignoreResponseCode: true },
          },
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
      story.shop.statuses = [status];
      return (await run(document, { body: { q: "a b", n } })).output;
    };
    expect(await went(1)).toEqual({ went: "few" });
    expect(story.shop.asked[0]).toMatchObject({
      method: "POST",
      url: "/old?q=a+b",
      body: '{"n":1}',
      headers: { "x-old": "yes" },
    });
    expect(await went(3)).toEqual({ went: "many" });
    expect(await went(1, 404)).toEqual({ went: "missing" });
    expect(await went(1, 500)).toEqual({ went: "other" });
  });
});
