import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { called, chainOf, n8nNode } from "./testing/n8n-documents.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const set = (typeVersion: number, parameters: JsonObject) => n8nNode("Set", "set", parameters, { typeVersion });
const assigned = (type: string, value: Json, options: JsonObject = {}) =>
  set(3.4, { assignments: { assignments: [{ name: "v", type, value }] }, options });
const given = (type: string, value: Json) =>
  set(3.1, { fields: { values: [{ name: "v", type, [type]: value }] }, include: "none" });
const old = (typeVersion: number, kind: string, value: Json) =>
  set(typeVersion, { keepOnlySet: true, values: { [kind]: [{ name: "v", value }] } });
const X = "={{ $json.x }}";

describe("a field of a Set node of n8n has its type", () => {
  it.each<[string, JsonObject, Json, Json]>([
    ["number", assigned("number", X), "250", 250],
    ["number", assigned("number", X), " 2.5e1 ", 25],
    ["number", assigned("number", X), "", 0],
    ["number", assigned("number", X), true, 1],
    ["number", assigned("number", X), null, null],
    ["string", assigned("string", X), 7, "7"],
    ["string", assigned("string", X), { a: [1] }, '{"a":[1]}'],
    ["string", assigned("string", "={{ 5 }}"), null, "5"],
    ["string", assigned("string", 5), null, "5"],
    ["boolean", assigned("boolean", X), "TRUE", true],
    ["boolean", assigned("boolean", X), 0, false],
    ["array", assigned("array", X), '["a",1]', ["a", 1]],
    ["array", assigned("array", "=[{{ $json.x }}]"), 3, [3]],
    ["object", assigned("object", X), { a: 1 }, { a: 1 }],
    ["object", assigned("object", X), '{"a":1}', { a: 1 }],
    ["number that may not fit", assigned("number", X, { ignoreConversionErrors: true }), "7", 7],
    ["number that does not fit", assigned("number", X, { ignoreConversionErrors: true }), "seven", "seven"],
    ["numberValue", given("numberValue", X), "250", 250],
    ["stringValue", given("stringValue", X), 7, "7"],
    ["booleanValue", given("booleanValue", X), "false", false],
    ["number of version 2", old(2, "number", X), "250", 250],
    ["number of version 2 that is none", old(2, "number", X), "many", "many"],
    ["number of version 1", old(1, "number", X), "250", "250"],
    ["boolean of version 1", old(1, "boolean", X), "no", true],
    ["string of version 1", old(1, "string", X), 7, 7],
  ])("%s: %j of %j", async (_what, node, x, v) => {
    const { status, output } = await story.run(chainOf(called("Start"), node), { x });
    expect([status, output]).toEqual(["completed", { v }]);
  });

  it.each<[string, JsonObject, Json]>([
    ["number", assigned("number", X), "abc"],
    ["boolean", assigned("boolean", X), "maybe"],
    ["array", assigned("array", X), '{"a":1}'],
    ["object", assigned("object", X), [1]],
  ])("and the run fails where a value has no %s", async (_what, node, x) => {
    expect((await story.run(chainOf(called("Start"), node), { x })).status).toBe("failed");
  });

  it("so that conditions compare what they compared", async () => {
    const condition = { leftValue: "={{ $json.v }}", rightValue: 100, operator: { type: "number", operation: "gt" } };
    const compare = n8nNode("Large?", "if", {
      conditions: {
        options: { caseSensitive: true, typeValidation: "strict", version: 2 },
        ...{ combinator: "and", conditions: [condition] },
      },
    });
    const large = set(3.4, { assignments: { assignments: [{ name: "size", type: "string", value: "large" }] } });
    const document = chainOf(called("Start"), assigned("number", X), compare, { ...large, name: "Large" });
    expect((await story.run(document, { x: "250" })).output).toEqual({ size: "large" });
    expect((await story.run(document, { x: "99" })).output).not.toEqual({ size: "large" });
  });
});

describe("fields beside those that a Set node writes", () => {
  const beside = (parameters: JsonObject) =>
    set(3.4, {
      ...{ assignments: { assignments: [{ name: "v", type: "number", value: 1 }] }, includeOtherFields: true },
      ...parameters,
    });
  const use = (key: string) =>
    n8nNode("Use", "set", {
      assignments: { assignments: [{ name: "u", type: "string", value: `={{ $json.${key} }}` }] },
    });

  it.each<[string, JsonObject, string, boolean]>([
    ["a chosen one", { include: "selected", includeFields: "a, b" }, "a", true],
    ["one that was not chosen", { include: "selected", includeFields: "a, b" }, "c", false],
    ["one that is left out", { include: "except", excludeFields: "a" }, "a", false],
    ["one that is not left out", { include: "except", excludeFields: "a" }, "c", true],
  ])("%s", async (_what, parameters, key, isThere) => {
    const document = chainOf(called("Start"), beside(parameters), use(key));
    if (isThere) expect((await story.run(document, { [key]: "here" })).output).toEqual({ u: "here" });
    else expect((await story.preview(document)).outcomes.Use).toBe("placeholder");
  });

  it("are not guessed where they are computed", async () => {
    const { outcomes } = await story.preview(
      chainOf(called("Start"), beside({ include: "selected", includeFields: "={{ $json.k }}" })),
    );
    expect(outcomes.Set).toBe("placeholder");
  });
});
