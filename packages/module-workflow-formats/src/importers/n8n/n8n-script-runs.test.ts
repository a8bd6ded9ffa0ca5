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
  story.shop.asked = [];
});
afterAll(() => story.stop());

const set = (name: string, fields: Record<string, Json>, more: JsonObject = {}) =>
  n8nNode(name, "set", {
    ...more,
    assignments: { assignments: Object.entries(fields).map(([key, value]) => ({ name: key, value })) },
  });
const code = (name: string, jsCode: string, more: JsonObject = {}) => n8nNode(name, "code", { ...more, jsCode });

/** What a field is that is computed from `input`. */
async function resultOf(expression: string, input: JsonObject = {}, settings: JsonObject = {}): Promise<Json> {
  const document = { ...chainOf(called("Start"), set("Use", { v: `={{ ${expression} }}` })), settings };
  const { output, error } = await story.run(document, input);
  expect(error ?? null).toBeNull();
  return output.v;
}

describe("an expression of n8n", () => {
  const input = {
    name: "ann lee",
    list: [3, 1, 2],
    tags: [{ k: "a" }, { k: "b" }, { k: "a" }],
    n: 7,
    text: "1,2",
    none: null,
  };

  it.each<[string, Json]>([
    ["$json.name.toUpperCase()", "ANN LEE"],
    ["$json.name.split(' ')[0]", "ann"],
    ["$json.nick || 'none'", "none"],
    ["$json.none ?? 'nothing'", "nothing"],
    ["$json.n > 5 ? 'many' : 'few'", "many"],
    ["$json.n * 2 + 1", 15],
    ["$json.list.map(x => x * 2).filter((x) => x > 2).join('-')", "6-4"],
    ["$json.list.length", 3],
    ["$json?.who?.name", null],
    ["$json.nobody === undefined", true],
    ["Object.keys($json).length", 6],
    [`\`\${$json.name}!\``, "ann lee!"],
    ["({ ...$json, list: undefined }).n", 7],
    ["$input.all().length", 1],
    ["$('Start').all()[0].json.n", 7],
    ["$node['Start'].json.text.split(',').map(Number)", [1, 2]],
    ["$json.list.first() + $json.list.last()", 5],
    ["$json.tags.pluck('k').unique()", ["a", "b"]],
    ["'{\"a\":1}'.parseJson().a", 1],
    ["[].isEmpty()", true],
    ["$if($json.n === 7, 'seven', 'other')", "seven"],
    ["/(\\d)$/.exec($json.text)[1]", "2"],
    ["$('Start').item.json['name'].length", 7],
    ["$items('Start')[0].json.n", 7],
    ["$item('0').$node['Start'].json.n", 7],
    ["JSON.stringify({ n: $json.n })", '{"n":7}'],
  ])("that computes gives what it gives there: %s", async (expression, expected) => {
    expect(await resultOf(expression, input)).toEqual(expected);
  });

  it("stays a path where it only reads", async () => {
    const { report } = await story.run(chainOf(called("Start"), set("Use", { v: "={{ $json.name }}" })), input);
    expect(report.elements.find(({ name }: { name: string }) => name === "Use").outcome).toBe("mapped");
  });

  it("stands in texts, in JSON as text, in conditions and in requests", async () => {
    const isLong = n8nNode("Long?", "if", {
      conditions: {
        ...{ options: { caseSensitive: true, typeValidation: "strict", version: 2 }, combinator: "and" },
        conditions: [
          { leftValue: "={{ $json.name.length }}", rightValue: 3, operator: { type: "number", operation: "gt" } },
        ],
      },
    });
    const ask = n8nNode("Ask", "httpRequest", {
      ...{
        method: "POST",
        url: `=${story.shop.origin}/{{ $json.name.slice(0, 3) }}`,
        sendBody: true,
        specifyBody: "json",
      },
      jsonBody: '={ "who": "{{ $json.name.trim() }}", "list": {{ JSON.stringify($json.list.map(x => x + 1)) }} }',
    });
    const text = set("Text", {
      v: "=Hi {{ $('Start').item.json.name.toUpperCase() }}, {{ $('Start').item.json.n }} times",
    });
    const raw = n8nNode("Raw", "set", { mode: "raw", jsonOutput: "={{ { ...$json, more: $json.v.length } }}" });
    const document = documentOf([called("Start"), isLong, ask, text, raw, writes("short")], {
      ...{
        Start: linked(["Long?"]),
        "Long?": linked(["Ask"], ["short"]),
        Ask: linked(["Text"]),
        Text: linked(["Raw"]),
      },
    });
    const { output } = await story.run(document, input);
    expect(output).toEqual({ v: "Hi ANN LEE, 7 times", more: 19 });
    const [asked] = story.shop.asked;
    expect([asked?.url, JSON.parse(asked?.body ?? "")]).toEqual(["/ann", { who: "ann lee", list: [4, 2, 3] }]);
    expect((await story.run(document, { ...input, name: "bo" })).output).toEqual({ w: "short" });
  });

  it("reads layers of items that are put together, and fields that nobody has", async () => {
    const beside = set("Beside", { town: "Oslo" }, { includeOtherFields: true });
    const keys = set("Keys", { v: "={{ Object.keys($json).sort().join() }}", none: "={{ $json.nobody ?? null }}" });
    const { output } = await story.run(chainOf(called("Start"), beside, keys), { name: "ann" });
    expect(output).toEqual({ v: "name,town", none: null });
  });

  it.each([
    ["$now.toFormat('yyyy')", /^20\d\d$/],
    ["$now.minus({ days: 1 }) < $now", /^true$/],
    ["$today.toISO().slice(10)", /^T00:00:00\.000Z$/],
    ["DateTime.fromISO('2026-01-31').plus({ months: 1 }).toISODate()", /^2026-02-28$/],
    ["DateTime.fromISO('2026-05-06T07:08:09').toFormat('dd LLL yy, h:mm a, EEEE')", /^06 May 26, 7:08 AM, Wednesday$/],
    ["'2026-05-06'.toDateTime().startOf('week').toISODate()", /^2026-05-04$/],
    ["'2026-05-06'.toDateTime().endOf('month').toISO()", /^2026-05-31T23:59:59\.999Z$/],
    ["new Date('2026-01-02').getUTCDate()", /^2$/],
    ["new Date().getTime() > 0", /^true$/],
  ])("calculates with dates: %s", async (expression, expected) => {
    expect(String(await resultOf(expression))).toMatch(expected);
  });

  it("has the time zone of the workflow", async () => {
    const zone = { timezone: "Asia/Tokyo" };
    expect(await resultOf("DateTime.fromISO('2026-01-01T20:00:00Z').toISO()", {}, zone)).toBe(
      "2026-01-02T05:00:00.000+09:00",
    );
  });

  it.each([
    ["$binary.data.fileName", "files"],
    ["window.location.host", "there is no window here"],
    ["require('fs').readFileSync('x')", "loads a module"],
    ["$('Sta' + 'rt').item.json.n", "which step"],
    ["$json.name.hash()", "n8n's own method hash"],
    ["$json.name.", "cannot be read"],
  ])("that cannot be carried over is a placeholder which says why: %s", async (expression, reason) => {
    const { report } = await story.preview(chainOf(called("Start"), set("Use", { v: `={{ ${expression} }}` })));
    const use = report.elements.find(({ name }) => name === "Use");
    expect([use?.outcome, use?.notes[0]]).toEqual(["placeholder", expect.stringContaining(reason)]);
  });
});

describe("a Code node of n8n", () => {
  it("hands on the one item that it returns", async () => {
    const sum = code(
      "Sum",
      "const total = $input.all().reduce((sum, { json }) => sum + json.n, 1);\nreturn [{ json: { total } }];",
    );
    const { output } = await story.run(chainOf(called("Start"), sum, set("Use", { v: "={{ $json.total }}" })), {
      n: 4,
    });
    expect(output).toEqual({ v: 5 });
  });

  it("runs for each item, and in its older forms", async () => {
    const each = code("Each", "return { ...$json, m: $json.n + 1 };", { mode: "runOnceForEachItem" });
    const old = n8nNode("Old", "functionItem", { functionCode: "item.k = item.m * 2; return item;" });
    const older = n8nNode("Older", "function", {
      functionCode: "items[0].json.j = items[0].json.k + 1;\nreturn items;",
    });
    const { output } = await story.run(chainOf(called("Start"), each, old, older), { n: 1 });
    expect(output).toEqual({ n: 1, m: 2, k: 4, j: 5 });
  });

  it("fails with its own line, and says what it cannot do before it runs", async () => {
    const wrong = code("Wrong", "const a = 1;\nreturn [{ json: { a: a.b.c } }];");
    expect((await story.run(chainOf(called("Start"), wrong), {})).error).toContain(
      "cannot read property 'c' of undefined",
    );
    const notes = async (jsCode: string) => {
      const { report } = await story.preview(chainOf(called("Start"), code("Code", jsCode)));
      return report.elements.find(({ name }) => name === "Code")?.notes.join();
    };
    expect(await notes("const axios = require('axios'); return [];")).toContain("it loads a module");
    expect(await notes("return [{ json: await this.helpers.httpRequest({}) }];")).toContain("`this`");
  });
});

describe("a list of n8n", () => {
  const lines = {
    lines: [
      { sku: "b", n: 2 },
      { sku: "a", n: 1 },
      { sku: "b", n: 2 },
    ],
    order: 7,
  };
  const split = n8nNode("Lines", "splitOut", { fieldToSplitOut: "lines" });
  const gather = n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData" });
  const skus = n8nNode("Skus", "aggregate", { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: "sku" }] } });
  const outputOf = async (...nodes: JsonObject[]): Promise<Json> =>
    (await story.run(chainOf(called("Start"), ...nodes), lines)).output;

  it("runs what follows once for each entry, and collects it", async () => {
    const each = set("Each", { v: "={{ $json.sku }}", of: "={{ $('Start').item.json.order }}" });
    expect(await outputOf(split, each, gather)).toEqual({
      data: [
        { v: "b", of: 7 },
        { v: "a", of: 7 },
        { v: "b", of: 7 },
      ],
    });
  });

  it("leaves out what a filter stops on the way", async () => {
    const many = n8nNode("Many", "filter", {
      conditions: {
        ...{ options: { caseSensitive: true, typeValidation: "strict", version: 2 }, combinator: "and" },
        conditions: [{ leftValue: "={{ $json.n }}", rightValue: 1, operator: { type: "number", operation: "gt" } }],
      },
    });
    expect(
      await outputOf(split, many, set("Each", { v: "={{ $json.sku }}" }, { includeOtherFields: true }), skus),
    ).toEqual({
      sku: ["b", "b"],
    });
  });

  it.each<[string, JsonObject[], Json]>([
    ["collected at once", [split, skus], { sku: ["b", "a", "b"] }],
    ["limited", [split, n8nNode("Two", "limit", { maxItems: 2 }), skus], { sku: ["b", "a"] }],
    [
      "limited from its end",
      [split, n8nNode("Two", "limit", { maxItems: 1, keep: "lastItems" }), skus],
      { sku: ["b"] },
    ],
    [
      "sorted",
      [
        split,
        n8nNode("Sort", "sort", { sortFieldsUi: { sortField: [{ fieldName: "n", order: "descending" }] } }),
        skus,
      ],
      { sku: ["b", "b", "a"] },
    ],
    ["without duplicates", [split, n8nNode("Once", "removeDuplicates"), skus], { sku: ["b", "a"] }],
    [
      "without duplicates of a field",
      [split, n8nNode("Once", "removeDuplicates", { compare: "selectedFields", fieldsToCompare: "sku" }), gather],
      {
        data: [
          { sku: "b", n: 2 },
          { sku: "a", n: 1 },
        ],
      },
    ],
    [
      "with other fields",
      [
        n8nNode("Lines", "splitOut", { fieldToSplitOut: "lines", include: "allOtherFields" }),
        n8nNode("One", "limit"),
        gather,
      ],
      { data: [{ order: 7, lines: { sku: "b", n: 2 } }] },
    ],
    [
      "by code",
      [
        code(
          "Rows",
          "const rows = [];\nfor (const line of $json.lines) rows.push({ json: { v: line.sku } });\nreturn rows;",
        ),
        set("Each", { w: "={{ $json.v + '!' }}" }),
        gather,
      ],
      { data: [{ w: "b!" }, { w: "a!" }, { w: "b!" }] },
    ],
    [
      "read whole by a later step",
      [split, skus, set("Use", { v: "={{ $('Lines').all().length }}", first: "={{ $('Lines').first().json.sku }}" })],
      { v: 3, first: "b" },
    ],
  ])("is %s", async (_what, nodes, expected) => {
    expect(await outputOf(...nodes)).toEqual(expected);
  });

  it("that is empty, or of which nothing is left, leads nowhere", async () => {
    const never = n8nNode("Never", "filter", {
      conditions: {
        ...{ options: { caseSensitive: true, typeValidation: "strict", version: 2 }, combinator: "and" },
        conditions: [{ leftValue: "={{ $json.n }}", rightValue: 9, operator: { type: "number", operation: "gt" } }],
      },
    });
    const ask = n8nNode("Ask", "httpRequest", { url: `${story.shop.origin}/asked` });
    for (const document of [
      chainOf(called("Start"), split, never, gather, ask),
      chainOf(called("Start"), split, gather, ask),
    ]) {
      const { status } = await story.run(document, { lines: [] });
      expect(status).toBe("completed");
    }
    await story.run(chainOf(called("Start"), split, never, gather, ask), lines);
    expect(story.shop.asked).toEqual([]);
    await story.run(chainOf(called("Start"), split, gather, ask), lines);
    expect(story.shop.asked).toHaveLength(1);
  });

  it("goes into a loop, put together first where it has to be", async () => {
    const document = (...before: JsonObject[]) => {
      const chain = chainOf(called("Start"), ...before, n8nNode("Loop", "splitInBatches"));
      const ask = n8nNode("Ask", "httpRequest", { url: `=${story.shop.origin}/{{ $json.sku }}` });
      return documentOf([...(chain.nodes as JsonObject[]), ask], {
        ...(chain.connections as JsonObject),
        ...{ Loop: linked([], ["Ask"]), Ask: linked(["Loop"]) },
      });
    };
    await story.run(document(split), lines);
    await story.run(document(split, set("Each", { sku: "={{ $json.sku + '2' }}" })), lines);
    expect(story.shop.asked.map(({ url }) => url)).toEqual(["/b", "/a", "/b", "/b2", "/a2", "/b2"]);
  });

  it("that is merged with something else, or collected twice, is a placeholder which says why", async () => {
    const merge = n8nNode("Merge", "merge");
    const document = documentOf([called("Start"), split, merge], {
      Start: linked(["Lines", "Merge"]),
      Lines: linked(["Merge"]),
    });
    const { outcomes, report } = await story.preview(document);
    expect(outcomes.Lines).toBe("placeholder");
    expect(report.elements.find(({ name }) => name === "Lines")?.notes[0]).toContain(
      "“Merge” comes after something else as well",
    );
  });
});

describe("a step of n8n that several ways lead to", () => {
  it("has the item of the way that was gone", async () => {
    const isAnn = n8nNode("Ann?", "if", {
      conditions: {
        ...{ options: { caseSensitive: true, typeValidation: "strict", version: 2 }, combinator: "and" },
        conditions: [
          { leftValue: "={{ $json.name }}", rightValue: "ann", operator: { type: "string", operation: "equals" } },
        ],
      },
    });
    const yes = n8nNode("Yes", "httpRequest", { url: `${story.shop.origin}/yes` });
    const no = set("No", { id: 9 });
    const document = documentOf(
      [called("Start"), isAnn, yes, no, set("Use", { v: "={{ $json.id }}", w: "={{ $json.id + 1 }}" })],
      {
        ...{ Start: linked(["Ann?"]), "Ann?": linked(["Yes"], ["No"]), Yes: linked(["Use"]), No: linked(["Use"]) },
      },
    );
    expect((await story.run(document, { name: "ann" })).output).toEqual({ v: 7, w: 8 });
    expect((await story.run(document, { name: "bob" })).output).toEqual({ v: 9, w: 10 });
  });

  it("asks again until it is done", async () => {
    const ask = n8nNode("Ask", "httpRequest", { url: `=${story.shop.origin}/{{ $json.job }}` });
    const isDone = n8nNode("Done?", "if", {
      conditions: {
        ...{ options: { caseSensitive: true, typeValidation: "strict", version: 2 }, combinator: "and" },
        conditions: [
          { leftValue: "={{ $json.state }}", rightValue: "done", operator: { type: "string", operation: "equals" } },
        ],
      },
    });
    story.shop.replies = ["open", "open", "done"].map((state, index) => ({
      type: "application/json",
      body: JSON.stringify({ state, job: `j${index}` }),
    }));
    const document = documentOf([called("Start"), ask, isDone, set("Use", { v: "={{ $json.job }}" })], {
      ...{ Start: linked(["Ask"]), Ask: linked(["Done?"]), "Done?": linked(["Use"], ["Ask"]) },
    });
    expect((await story.run(document, { job: "first" })).output).toEqual({ v: "j2" });
    expect(story.shop.asked.map(({ url }) => url)).toEqual(["/first", "/j0", "/j1"]);
  });
});

describe("several triggers of n8n that begin in different places", () => {
  const document = (...triggers: JsonObject[]) =>
    documentOf([...triggers, writes("one"), writes("two"), set("Use", { v: "={{ $json.w + $json.w.length }}" })], {
      ...Object.fromEntries(triggers.map(({ name }, index) => [String(name), linked([index === 0 ? "one" : "two"])])),
      ...{ one: linked(["Use"]), two: linked(["Use"]) },
    });
  const hook = n8nNode("Hook", "webhook");
  const daily = n8nNode("Daily", "scheduleTrigger");

  it("begin as the one that the input names, else as the one that people start", async () => {
    const byHand = document(hook, n8nNode("Try", "manualTrigger"));
    expect((await story.run(byHand, { startedBy: "Hook", body: {} })).output).toEqual({ v: "one3" });
    expect((await story.run(byHand, {})).output).toEqual({ v: "two3" });
  });

  it("fail with their names where the input names none, and nobody starts one by hand", async () => {
    expect((await story.run(document(hook, daily), { startedBy: "Daily" })).output).toEqual({ v: "two3" });
    expect((await story.run(document(hook, daily), {})).error).toContain("Hook, Daily");
  });
});

describe("the OpenAI node of n8n", () => {
  it("asks the model with its messages, and hands on its answer as n8n does", async () => {
    story.answers.push({ text: "Hello Ann" });
    const ask = n8nNode(
      "Ask",
      "langchain.openAi",
      {
        modelId: { value: "gpt-4o" },
        messages: { values: [{ role: "system", content: "Be kind" }, { content: "=Greet {{ $json.name }}" }] },
      },
      { typeVersion: 1.8 },
    );
    const document = chainOf(
      called("Start"),
      ask,
      set("Use", { v: "={{ $json.message.content }}", n: "={{ $json.message.content.length }}" }),
    );
    const { output } = await story.run(document, { name: "Ann" });
    expect(output).toEqual({ v: "Hello Ann", n: 9 });
    expect(JSON.stringify(story.asked().at(-1))).toContain("Greet Ann");
  });
});
