import type { Json, JsonObject } from "@oven/contract";
import { compileGuard } from "@oven/engine";
import { scopeOf } from "@oven/engine/testing";
import { describe, expect, it } from "vitest";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { parseSource } from "../../shared/import-source.ts";
import { translateCase } from "./dify-conditions.ts";
import { DifyData } from "./dify-data.ts";
import { DifyDocument, DifyDocumentSchema } from "./dify-document.ts";

const NODES = [{ id: "s", data: { type: "start" } }];
const SOURCE = { kind: "app", app: { mode: "workflow" }, workflow: { graph: { nodes: NODES, edges: [] } } };
const data = new DifyData(new DifyDocument(parseSource(SOURCE, DifyDocumentSchema)), new Map());

type Row = [operator: string, value: Json | undefined, actual: Json | undefined, holds: boolean, varType?: string];

function holds(operator: string, value: Json | undefined, actual: Json | undefined, varType?: string): boolean {
  const condition: JsonObject = { variable_selector: ["s", "v"], comparison_operator: operator };
  if (value !== undefined) condition.value = value;
  if (varType !== undefined) condition.varType = varType;
  const guard = compileGuard(translateCase({ conditions: [condition], logical_operator: "and" }, data));
  const trigger: JsonObject = { other: 5, word: "yes" };
  if (actual !== undefined) trigger.v = actual;
  return guard(scopeOf({}, trigger));
}

describe("a condition of Dify", () => {
  const rows: Row[] = [
    // What has no value is not there; what is empty is.
    ["null", "", null, true],
    ["null", "", "", false],
    ["is null", "", 0, false],
    ["not null", "", null, false],
    ["not null", "", "", true],
    ["is not null", "", false, true],
    ["exists", "", null, false],
    ["exists", "", "", true],
    ["not exists", "", null, true],
    // Empty is what counts as false.
    ["empty", "", "", true],
    ["empty", "", null, true],
    ["empty", "", [], true, "array[string]"],
    ["empty", "", {}, true, "object"],
    ["empty", "", 0, true, "number"],
    ["empty", "", false, true, "boolean"],
    ["empty", "", 0, true],
    ["empty", "", "0", false, "string"],
    ["is empty", "", [0], false],
    ["not empty", "", 0, false, "number"],
    ["not empty", "", true, true, "boolean"],
    ["is not empty", "", "x", true],
    // Texts.
    ["is", "yes", "yes", true, "string"],
    ["is", "yes", "no", false, "string"],
    ["is", "{{#s.word#}}", "yes", true, "string"],
    ["is", "5", "5", true, "string"],
    ["is not", "yes", "no", true, "string"],
    ["is not", "yes", "yes", false, "string"],
    ["is not", "yes", null, false, "string"],
    ["contains", "b", "abc", true, "string"],
    ["contains", "{{#s.other#}}", "a5c", true, "string"],
    ["contains", "b", ["a", "b"], true, "array[string]"],
    ["contains", "b", ["ab"], false, "array[string]"],
    ["contains", "b", null, false],
    ["not contains", "b", null, true],
    ["not contains", "b", "", true],
    ["not contains", "b", "abc", false],
    ["start with", "a.", "a.c", true],
    ["start with", "a.", "abc", false],
    ["end with", "c", "abc", true],
    // Truth is written as text, or as it is.
    ["is", true, true, true, "boolean"],
    ["is", "true", true, true, "boolean"],
    ["is", "false", true, false, "boolean"],
    ["is not", "true", false, true, "boolean"],
    ["contains", "true", [false, true], true, "array[boolean]"],
    // Numbers are written as text, and one that is computed may be one.
    ["=", "5", 5, true, "number"],
    ["=", "5.0", 5, true, "number"],
    ["=", 5, 5, true, "number"],
    ["=", "{{#s.other#}}", 5, true, "number"],
    ["≠", "5", 6, true, "number"],
    ["≠", "5", null, false, "number"],
    [">", "4", 5, true, "number"],
    [">", "{{#s.other#}}", 5, false, "number"],
    ["≥", "{{#s.other#}}", 5, true, "number"],
    ["<", "5", null, false, "number"],
    ["≤", "5", 5, true, "number"],
    // Lists to choose from.
    ["in", ["a", "b"], "a", true],
    ["in", ["a", ""], "", false],
    ["not in", ["a", ""], "", true],
    ["not in", ["a"], "a", false],
  ];

  it.each(rows)("%s %j of %j: %s", (operator, value, actual, expected, varType) => {
    expect(holds(operator, value, actual, varType)).toBe(expected);
  });

  it.each<[string, Json]>([
    ["=", "five"],
    [">", ""],
    ["in", "a, b"],
    ["all of", ["a"]],
    ["start with", "{{#s.word#}}"],
    ["like", "a"],
  ])("has no equal here: %s %j", (operator, value) => {
    expect(() => holds(operator, value, "a", "number")).toThrow(NoEquivalent);
  });
});
