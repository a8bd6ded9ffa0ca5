import type { JsonObject } from "@oven/contract";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { describe, expect, it } from "vitest";
import { parseDefinition, placeProblems, toMarks, toProblems } from "./check-definition.ts";
import { readExamples } from "./read-examples.ts";

const TEXT = `{
  "initial": "a",
  "states": {
    "a": {
      "invoke": { "src": "nope" }
    }
  }
}`;

describe("a definition being typed", () => {
  it("is marked where a number would be changed", () => {
    const text = '{\n  "initial": "a",\n  "states": {},\n  "context": { "id": 7615917337495251231 }\n}';
    expect(parseDefinition(text)).toMatchObject({
      ok: false,
      problem: { line: 4, offset: text.indexOf('"id"'), message: expect.stringContaining("more digits") },
    });
  });

  it("is placed: each problem at the line of its path", () => {
    const parsed = parseDefinition(TEXT);
    if (!parsed.ok) throw new Error("it is valid JSON");
    const problem = {
      path: "$.states.a.invoke.src",
      rule: "node-type",
      message: "unknown",
      fix: "choose",
      severity: "error" as const,
    };
    const placed = placeProblems(TEXT, parsed.positions, [
      problem,
      { ...problem, path: "$.definition.states.a.label" },
    ]);
    expect(placed.map(({ line }) => line)).toEqual([5, 4]);
    expect(TEXT.slice(placed[0]?.offset, placed[0]?.end)).toBe('"src": "nope"');
    expect(TEXT.slice(placed[1]?.offset, placed[1]?.end)).toBe('"a": {');
    expect(toMarks(placed)[0]).toEqual({ line: 5, severity: "error", message: "unknown" });
  });

  it("says where the JSON breaks", () => {
    const parsed = parseDefinition('{\n  "a": 1,\n}');
    expect(parsed).toMatchObject({ ok: false, problem: { line: 3, rule: "json", severity: "error" } });
  });

  it("must be an object", () => {
    expect(parseDefinition("[]")).toMatchObject({ ok: false, problem: { message: expect.stringContaining("object") } });
  });
});

describe("the problems of a refusal", () => {
  it("are those in its details", () => {
    const problem = { path: "$", rule: "r", message: "m", fix: "f" };
    const error = new ApiError(400, { message: "no", details: { problems: [problem, "rubbish"] } });
    expect(toProblems(error)).toEqual([{ ...problem, severity: "error" }]);
  });

  it("are none in any other error", () => {
    expect(toProblems(new Error("x"))).toEqual([]);
    expect(toProblems(new ApiError(500, { message: "x" }))).toEqual([]);
  });
});

describe("examples of a definition", () => {
  it("are the inputs in its meta", () => {
    expect(
      readExamples({
        meta: { examples: [{ title: "Late", input: { a: 1 } }, { input: {} }, { title: "no input" }, 3] },
      }),
    ).toEqual([
      { title: "Late", input: { a: 1 } },
      { title: "Example 2", input: {} },
    ]);
  });

  it.each<JsonObject>([{}, { meta: 1 }, { meta: { examples: {} } }])("are none in %j", (definition) => {
    expect(readExamples(definition)).toEqual([]);
  });
});
