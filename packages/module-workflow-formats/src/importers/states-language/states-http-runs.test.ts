import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { settingsOf, statesOf } from "../../importing/testing/read-imports.ts";
import { machine } from "./testing/machines.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
beforeEach(() => {
  story.shop.asked = [];
  story.shop.statuses = [];
});
afterAll(() => story.stop());

const ask = (parameters: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ Type: "Task", Resource: "arn:aws:states:::http:invoke" },
  ...{
    Parameters: { ApiEndpoint: `${story?.shop.origin ?? "https://shop.example"}/orders`, Method: "GET", ...parameters },
    ...more,
  },
});

describe("a request of a state machine", () => {
  it("is sent once, with what it reads from the input, and hands on its answer", async () => {
    const call = ask(
      {
        "ApiEndpoint.$": `States.Format('${story.shop.origin}/orders/{}', $.id)`,
        ...{ Method: "POST", Headers: { "x-trace.$": "$.trace", "x-fixed": "1" } },
        ...{ QueryParameters: { "full.$": "$.full", page: 2 }, RequestBody: { "id.$": "$.id", tags: ["new"] } },
      },
      { ResultSelector: { "total.$": "$.ResponseBody.total", "status.$": "$.StatusCode" }, ResultPath: "$.answer" },
    );
    const { ApiEndpoint: _, ...parameters } = call.Parameters as JsonObject; // cast: made above
    const document = machine({ Call: { ...call, Parameters: parameters } });
    const { status, output } = await story.run(document, { id: 8, trace: "t", full: "yes" });
    expect([status, output]).toEqual([
      "completed",
      { id: 8, trace: "t", full: "yes", answer: { total: 120, status: 200 } },
    ]);
    expect(story.shop.asked).toMatchObject([
      { method: "POST", url: "/orders/8?full=yes&page=2", headers: { "x-trace": "t", "x-fixed": "1" } },
    ]);
    expect(JSON.parse(story.shop.asked[0]?.body ?? "")).toEqual({ id: 8, tags: ["new"] });
    story.shop.statuses.push(500);
    expect((await story.run(document, { id: 9, trace: "", full: "" })).status).toBe("failed");
    expect(story.shop.asked).toHaveLength(2);
  });

  it("hands on status and body where nothing selects from them", async () => {
    const { output } = await story.run(machine({ Call: ask({}, { OutputPath: "$.ResponseBody.lines[1]" }) }), {});
    expect(output).toEqual({ sku: "b" });
    expect((await story.run(machine({ Call: ask({}) }), {})).output).toMatchObject({
      ...{ StatusCode: 200, ResponseBody: { id: 7 } },
    });
  });

  it("sends a form", async () => {
    const call = ask({
      ...{ Method: "PUT", Headers: { "content-type": "application/x-www-form-urlencoded" } },
      ...{ RequestBody: { "a.$": "$.a", b: "c d" }, Transform: { RequestBodyEncoding: "URL_ENCODED" } },
    });
    expect((await story.run(machine({ Call: call }), { a: "1&2" })).status).toBe("completed");
    expect(story.shop.asked[0]?.body).toBe("a=1%262&b=c+d");
  });

  it("is tried again as often as it says, and then caught by what its error is", async () => {
    const call = ask(
      {},
      {
        Retry: [{ ErrorEquals: ["States.TaskFailed"], IntervalSeconds: 0, MaxAttempts: 2 }],
        Catch: [
          { ErrorEquals: ["States.Http.StatusCode.404", "States.Timeout"], Next: "Gone" },
          { ErrorEquals: ["States.ALL"], Next: "Other", ResultPath: "$.error" },
        ],
        Next: "Fine",
      },
    );
    const document = machine({
      Call: call,
      Fine: { Type: "Pass", Result: "fine", End: true },
      Gone: { Type: "Pass", InputPath: "$.Error", End: true },
      Other: { Type: "Pass", End: true },
    });
    const run = (...statuses: number[]) => {
      story.shop.statuses = statuses;
      return story.run(document, { n: 1 });
    };
    expect((await run(503, 503, 200)).output).toBe("fine");
    expect(story.shop.asked).toHaveLength(3);
    expect((await run(404)).output).toBe("States.Http.StatusCode.404");
    const { output } = await run(500, 500, 500);
    expect(output).toMatchObject({ n: 1, error: { Error: "States.Http.StatusCode.500" } });
    expect(output.error.Cause).toContain("answered 500");
  });

  it("fails with its own error where nothing catches it", async () => {
    const document = machine({
      Call: ask({}, { Catch: [{ ErrorEquals: ["States.Http.StatusCode.404"], Next: "Gone" }], End: true }),
      Gone: { Type: "Succeed" },
    });
    story.shop.statuses = [400];
    const { status, error } = await story.run(document, {});
    expect(status).toBe("failed");
    expect(JSON.stringify(error)).toContain("answered 400");
  });

  it("names the secrets of its connection and of its headers, and keeps none", async () => {
    const call = ask({
      Authentication: { ConnectionArn: "arn:aws:events:eu-west-1:1:connection/shop" },
      Headers: { "x-api-key": "sk_live_0123456789abcdef0123" },
    });
    const read = await readForeign(JSON.stringify(machine({ Call: call })));
    expect(settingsOf(read)).toEqual(["credential call-x-api-key", "credential call-connection"]);
    expect(statesOf(read).call?.invoke?.input?.headers).toEqual({
      ...{ Authorization: { $secret: "call-connection" }, "x-api-key": { $secret: "call-x-api-key" } },
    });
    expect(JSON.stringify(read.definition)).not.toContain("sk_live");
  });

  it("has retries by the engine's terms", async () => {
    const retry = (spec: JsonObject) => ({ Retry: [{ ErrorEquals: ["States.ALL"], ...spec }] });
    const policyOf = async (spec: JsonObject) =>
      statesOf(await readForeign(JSON.stringify(machine({ Call: ask({}, retry(spec)) })))).call?.invoke?.retry;
    expect(await policyOf({})).toEqual({ maxAttempts: 4, backoff: "exponential", initialMs: 1_000, maxMs: 8_000 });
    expect(await policyOf({ IntervalSeconds: 5, MaxAttempts: 1, BackoffRate: 1, MaxDelaySeconds: 9 })).toEqual({
      ...{ maxAttempts: 2, backoff: "fixed", initialMs: 5_000, maxMs: 9_000 },
    });
    expect(await policyOf({ MaxAttempts: 0 })).toEqual({ maxAttempts: 1 });
  });

  it.each<[string, JsonObject, JsonObject?]>([
    ["the method", { Method: "TRACE" }],
    ["its request has Proxy", { Proxy: "x" }],
    ["it sends a body with GET", { RequestBody: {} }],
    ["Headers are computed as a whole", { "Headers.$": "$.headers" }],
    ["x of its QueryParameters is no text", { QueryParameters: { x: ["a"] } }],
    ["its body is a text", { Method: "POST", RequestBody: "a" }],
    ["it sends a body as text/xml", { Method: "POST", RequestBody: {}, Headers: { "Content-Type": "text/xml" } }],
    ["its result has no $.Headers", {}, { ResultSelector: { "h.$": "$.Headers" } }],
    ["it has HeartbeatSeconds", {}, { HeartbeatSeconds: 1 }],
    ["how long it may take", {}, { TimeoutSeconds: "1" }],
    ["in several ways", {}, { Retry: [{ ErrorEquals: ["A"] }, { ErrorEquals: ["B"] }] }],
    ["at most 19 times", {}, { Retry: [{ ErrorEquals: ["States.ALL"], MaxAttempts: 20 }] }],
    [
      "after States.Http.StatusCode.429 only",
      { Method: "POST" },
      { Retry: [{ ErrorEquals: ["States.Http.StatusCode.429"] }] },
    ],
    ["it catches States.Permissions", {}, { Catch: [{ ErrorEquals: ["States.Permissions"], Next: "Call" }] }],
    ["a credential is written into", { Method: "POST", RequestBody: { password: "hunter22" } }],
  ])("stays open: %s", async (why, parameters, more) => {
    const { outcomes, report } = await story.preview(machine({ Call: ask(parameters, more) }));
    expect(outcomes.Call).toBe("placeholder");
    expect(JSON.stringify(report)).toContain(why);
  });
});
