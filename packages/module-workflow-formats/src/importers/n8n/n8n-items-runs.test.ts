import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { called, chainOf, documentOf, linked, n8nNode, writes } from "./testing/n8n-documents.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
beforeEach(() => {
  story.shop.statuses = [];
  story.shop.replies = [];
});
afterAll(() => story.stop());

const use = (value: string, name = "Use") =>
  n8nNode(name, "set", { assignments: { assignments: [{ name: "u", type: "string", value }] } });
const respond = (name: string, parameters: JsonObject) => n8nNode(name, "respondToWebhook", parameters);
const isAnn = n8nNode("Ann?", "if", {
  conditions: {
    ...{ options: { caseSensitive: true, typeValidation: "strict", version: 2 }, combinator: "and" },
    conditions: [
      { leftValue: "={{ $json.body.user }}", rightValue: "ann", operator: { type: "string", operation: "equals" } },
    ],
  },
});

describe("Respond to Webhook of n8n", () => {
  const document = documentOf(
    [
      n8nNode("Hook", "webhook", { httpMethod: "POST", responseMode: "responseNode" }),
      isAnn,
      respond("Ok", { respondWith: "json", responseBody: '={ "user": "{{ $json.body.user }}", "n": 1 }' }),
      respond("Denied", {
        ...{ respondWith: "text", responseBody: "no" },
        options: {
          responseCode: 403,
          responseHeaders: {
            entries: [
              { name: "X-Why", value: "nope" },
              { name: "Set-Cookie", value: "a=b" },
            ],
          },
        },
      }),
      writes("secret note"),
    ],
    { Hook: linked(["Ann?"]), "Ann?": linked(["Ok"], ["Denied"]), Ok: linked(["secret note"]) },
  );

  it("is what the run answers, whatever comes later", async () => {
    const ann = await story.run(document, { body: { user: "ann" } });
    expect(ann.output).toEqual({ status: 200, headers: {}, body: { user: "ann", n: 1 } });
    const bob = await story.run(document, { body: { user: "bob" } });
    expect(bob.output).toEqual({ status: 403, headers: { "x-why": "nope", "set-cookie": "a=b" }, body: "no" });
    const denied = bob.report.elements.find(({ name }: { name: string }) => name === "Denied");
    expect(denied.notes).toContain("The header set-cookie cannot be set by a webhook trigger here.");
  });

  it("is what the sender gets from a trigger that is set up as the report says", async () => {
    const made = await story.call("POST", "workflow-imports", { source: JSON.stringify(document) });
    const { settings } = made.body.report;
    expect(settings.map(({ advice }: { advice: string }) => advice).join("\n")).toContain(
      'status = $.output.status, body = $.output.body, header x-why = $.output.headers.x-why | default("")',
    );
    const response = {
      ...{ mode: "custom", seconds: 30, status: "$.output.status", body: "$.output.body" },
      headers: { "x-why": '$.output.headers.x-why | default("")' },
    };
    const target = { kind: "agent-workflow", workflowId: made.body.workflow.id };
    const trigger = await story.call("POST", "triggers", {
      type: "webhook",
      name: "Hook",
      target,
      config: { response },
    });
    expect(trigger.status).toBe(201);
    const send = async (user: string) => {
      const answer = await story.oven.fetch(`hooks/${trigger.body.token}`, {
        ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ user }) },
      });
      return [answer.status, answer.headers.get("x-why"), await answer.text()];
    };
    expect(await send("bob")).toEqual([403, "nope", "no"]);
    expect(await send("ann")).toEqual([200, "", '{"n":1,"user":"ann"}']);
  });

  it("answers from one of several ways at once, and nothing where none responds", async () => {
    const hook = n8nNode("Hook", "webhook", { responseMode: "responseNode" });
    const nodes = [hook, respond("Yes", { respondWith: "text", responseBody: "={{ $json.body.n }}" }), writes("other")];
    const both = documentOf(nodes, { Hook: linked(["Yes", "other"]) });
    expect((await story.run(both, { body: { n: 5 } })).output).toEqual({ status: 200, headers: {}, body: "5" });
    const split = documentOf([hook, isAnn, respond("Yes", { respondWith: "noData" }), writes("other")], {
      ...{ Hook: linked(["Ann?"]), "Ann?": linked(["Yes"], ["other"]) },
    });
    expect((await story.run(split, { body: { user: "bob" } })).output).toBeNull();
  });

  it.each<[string, JsonObject, Json]>([
    ["the item", { respondWith: "firstIncomingItem" }, { u: "1" }],
    ["the item in a field", { options: { responseKey: "data" } }, { data: { u: "1" } }],
    ["all items", { respondWith: "allIncomingItems" }, [{ u: "1" }]],
    ["JSON that is computed", { respondWith: "json", responseBody: "={{ $json }}" }, { u: "1" }],
  ])("answers with %s", async (_what, parameters, body) => {
    const hook = n8nNode("Hook", "webhook", { responseMode: "responseNode" });
    const document = chainOf(hook, use("1"), respond("Answer", parameters));
    expect((await story.run(document, { body: {} })).output).toMatchObject({ body });
  });

  it("redirects, and is a placeholder where it answers with a file", async () => {
    const hook = n8nNode("Hook", "webhook", { responseMode: "responseNode" });
    const away = respond("Away", { respondWith: "redirect", redirectURL: "https://example.com" });
    expect((await story.run(chainOf(hook, away), { body: {} })).output).toMatchObject({
      ...{ status: 307, headers: { location: "https://example.com" } },
    });
    const { outcomes } = await story.preview(chainOf(hook, respond("File", { respondWith: "binary" })));
    expect(outcomes.File).toBe("placeholder");
  });
});

describe("the answer to a request of n8n", () => {
  const ask = (options: JsonObject = {}, more: JsonObject = {}) =>
    n8nNode("Ask", "httpRequest", { url: `${story.shop.origin}/x`, options }, { typeVersion: 4.2, ...more });
  const asText = (outputPropertyName?: string): JsonObject => ({
    response: {
      response: { responseFormat: "text", ...(outputPropertyName === undefined ? {} : { outputPropertyName }) },
    },
  });

  it.each<[string, JsonObject, string, { type: string; body: string }, string]>([
    ["a page", {}, "={{ $json.data }}", { type: "text/html", body: "<p>Hi</p>" }, "<p>Hi</p>"],
    [
      "JSON with a field of this name",
      {},
      "={{ $json.data }}",
      { type: "application/json", body: '{"data":"d"}' },
      "d",
    ],
    ["JSON without one", {}, "=[{{ $json.data }}]", { type: "application/json", body: '{"a":1}' }, "[]"],
    ["JSON as text", asText(), "={{ $json.data }}", { type: "application/json", body: '{"a":1}' }, '{"a":1}'],
    ["text in a field", asText("page"), "={{ $json.page }}", { type: "text/plain", body: "Hi" }, "Hi"],
  ])("is read as it comes: %s", async (_what, options, value, reply, u) => {
    story.shop.replies = [reply];
    const { status, output } = await story.run(chainOf(called("Start"), ask(options), use(value)), {});
    expect([status, output]).toEqual(["completed", { u }]);
  });

  it("may be a list, which its element says, and a file has no fields", async () => {
    const { report } = await story.preview(chainOf(called("Start"), ask(), use("={{ $json.id }}")));
    expect(report.elements.find(({ name }) => name === "Ask")?.notes.join(" ")).toContain("forEach over `body`");
    const file = ask({ response: { response: { responseFormat: "file" } } });
    expect((await story.preview(chainOf(called("Start"), file, use("={{ $json.data }}")))).outcomes.Use).toBe(
      "placeholder",
    );
  });

  it("is an error where errors lead, beside what came in", async () => {
    const failed = (value: string) =>
      documentOf([called("Start"), ask({}, { onError: "continueErrorOutput" }), use(value, "Failed"), writes("ok")], {
        ...{ Start: linked(["Ask"]), Ask: linked(["ok"], ["Failed"]) },
      });
    story.shop.statuses = [404];
    expect((await story.run(failed("={{ $json.error.message }}"), {})).output).toEqual({
      u: expect.stringContaining("404"),
    });
    story.shop.statuses = [404];
    expect((await story.run(failed("={{ $json.city }}"), { city: "Oslo" })).output).toEqual({ u: "Oslo" });
    expect((await story.preview(failed("={{ $json.error.code }}"))).outcomes.Failed).toBe("placeholder");
    const goesOn = chainOf(called("Start"), ask({}, { onError: "continueRegularOutput" }), use("={{ $json.error }}"));
    expect((await story.preview(goesOn)).outcomes.Use).toBe("placeholder");
  });

  it("leads on by outputs that are not known only as a placeholder", async () => {
    const links = { Start: linked(["Ask"]), Ask: linked(["a"], ["b"]) };
    const stale = documentOf([called("Start"), ask(), writes("a"), writes("b")], links);
    const { report } = await story.preview(stale);
    const unused = report.elements.find(({ name }) => name === "“Ask” to “b”");
    expect(unused).toMatchObject({ outcome: "ignored", notes: [expect.stringContaining("output for errors")] });
    const more = { Start: linked(["Ask"]), Ask: linked(["a"], [], ["b"]) };
    const { outcomes } = await story.preview(documentOf([called("Start"), ask(), writes("a"), writes("b")], more));
    expect(outcomes.Ask).toBe("placeholder");
  });
});

describe("a workflow that another one of n8n calls", () => {
  const call = (name: string, parameters: JsonObject = {}) =>
    n8nNode("Call", "executeWorkflow", { workflowId: { value: "7", cachedResultName: name }, ...parameters });
  const child = (name: string, value: string) => ({ ...chainOf(called("Start"), use(value)), name });

  it("is called with the item that arrives, or with the fields that are named", async () => {
    await story.run(child("Says city", "=got {{ $json.city }}"), { city: "Rome" });
    const city = n8nNode("City", "set", {
      assignments: { assignments: [{ name: "city", type: "string", value: "Oslo" }] },
    });
    const got = async (parameters: JsonObject) =>
      (await story.run(chainOf(called("Start"), city, call("Says city", parameters), use("={{ $json.u }}")), {}))
        .output;
    expect(await got({})).toEqual({ u: "got Oslo" });
    expect(await got({ workflowInputs: { mappingMode: "defineBelow", value: {} } })).toEqual({ u: "got Oslo" });
    const named = { value: { city: "=to {{ $json.city }}" }, schema: [{ id: "city" }] };
    expect(await got({ workflowInputs: named })).toEqual({ u: "got to Oslo" });
  });

  it("is called with what a webhook took", async () => {
    await story.run(child("Says user", "=got {{ $json.body.user }}"), { body: { user: "x" } });
    const document = chainOf(n8nNode("Hook", "webhook"), call("Says user"), use("={{ $json.u }}"));
    expect((await story.run(document, { body: { user: "ann" }, headers: {}, query: {} })).output).toEqual({
      u: "got ann",
    });
  });

  it("is called with an item that several steps have made", async () => {
    await story.run(child("Says both", "=got {{ $json.city }}, {{ $json.a }}"), { city: "Rome", a: "c" });
    const assigned = (name: string, value: string) => ({ assignments: [{ name, type: "string", value }] });
    const city = n8nNode("City", "set", { assignments: assigned("city", "Oslo") });
    const beside = n8nNode("Beside", "set", { includeOtherFields: true, assignments: assigned("a", "b") });
    const document = chainOf(called("Start"), city, beside, call("Says both"), use("={{ $json.u }}"));
    expect((await story.run(document, {})).output).toEqual({ u: "got Oslo, b" });
  });

  it("is a placeholder where nothing waits for it", async () => {
    const alone = call("X", { options: { waitForSubWorkflow: false } });
    expect((await story.preview(chainOf(called("Start"), alone))).outcomes.Call).toBe("placeholder");
  });
});

const inBatches = (node: JsonObject): JsonObject =>
  node.name === "Loop" ? { ...node, parameters: { batchSize: 5 } } : node;

describe("a loop of n8n", () => {
  const looped = (source: JsonObject, body: JsonObject[]) => {
    const names = body.map(({ name }) => String(name));
    const links = names.map((name, index): [string, Json] => [name, linked([names[index + 1] ?? "Loop"])]);
    return documentOf([called("Start"), source, n8nNode("Loop", "splitInBatches"), ...body], {
      ...{ Start: linked([String(source.name)]), [String(source.name)]: linked(["Loop"]) },
      ...{ Loop: linked([], names.slice(0, 1)), ...Object.fromEntries(links) },
    });
  };

  it("goes through the list that the step in place of a placeholder has to hand on", async () => {
    const rows = n8nNode("Rows", "redis", { operation: "keys" });
    const get = n8nNode("Get", "httpRequest", { url: "=https://example.com/{{ $json.id }}" });
    const { outcomes, problems, report } = await story.preview(looped(rows, [get]));
    expect(outcomes).toMatchObject({ Rows: "placeholder", Loop: "noted", Get: "mapped" });
    expect(problems).toHaveLength(1);
    expect(report.elements.find(({ name }) => name === "Loop")?.notes.join()).toContain("hand on its list as `result`");
  });

  it("that is a placeholder has no item: what reads it is one, too", async () => {
    const rows = n8nNode("Rows", "splitOut", { fieldToSplitOut: "lines" });
    const get = n8nNode("Get", "httpRequest", { url: "=https://example.com/{{ $json.id }}" });
    const document = looped(rows, [get]);
    const batches = { ...document, nodes: (document.nodes as JsonObject[]).map(inBatches) };
    const { outcomes, problems } = await story.preview(batches);
    expect(outcomes).toMatchObject({ Rows: "mapped", Loop: "placeholder", Get: "placeholder" });
    expect(problems.join()).not.toContain("$.item exists only");
  });

  it("is not mistaken for the one inside of it", async () => {
    const lines = n8nNode("Lines", "splitOut", { fieldToSplitOut: "lines" });
    const parts = n8nNode("Parts", "splitOut", { fieldToSplitOut: "parts" });
    const inner = n8nNode("Inner", "splitInBatches");
    const document = (value: string) =>
      documentOf([called("Start"), lines, n8nNode("Loop", "splitInBatches"), parts, inner, use(value)], {
        ...{ Start: linked(["Lines"]), Lines: linked(["Loop"]), Loop: linked([], ["Parts"]), Parts: linked(["Inner"]) },
        ...{ Inner: linked(["Loop"], ["Use"]), Use: linked(["Inner"]) },
      });
    expect((await story.preview(document("={{ $json.name }}"))).outcomes).toMatchObject({
      Loop: "mapped",
      Use: "mapped",
    });
    expect((await story.preview(document("={{ $('Loop').item.json.name }}"))).outcomes.Use).toBe("placeholder");
    expect((await story.run(document("={{ $json.name }}"), { lines: [{ parts: [{ name: "a" }] }] })).status).toBe(
      "completed",
    );
  });
});

describe("two nodes of n8n with one name", () => {
  it("are read where nothing is connected with the second", async () => {
    const note = n8nNode("Note", "stickyNote", { content: "Hi" });
    const document = documentOf([called("Start"), writes("done"), note, note], { Start: linked(["done"]) });
    const { output, report } = await story.run(document, {});
    expect(output).toEqual({ w: "done" });
    expect(report.notes.join()).toContain("“Note1”");
  });

  it("are refused where a connection could be of either, which is named", async () => {
    const document = documentOf([called("Start"), writes("done"), writes("done")], { Start: linked(["done"]) });
    const { status, body } = await story.call("POST", "workflow-imports/preview", { source: JSON.stringify(document) });
    expect([status, body.error.message]).toEqual([422, expect.stringContaining("“Start” to “done”")]);
  });
});
