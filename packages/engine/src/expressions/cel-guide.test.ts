import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scopeOf } from "../testing/expression-scope.ts";
import { compileCel } from "./cel.ts";
import { celLanguage } from "./cel-language.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guides/cel.md"), "utf8");
/** The rows of the tables: forms and examples, each in backticks. */
const rows = guide
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim()));
const scope = scopeOf({}, { total: 12.5, items: [1, 2, 3] });

describe("the guide to CEL", () => {
  it("has every function that an expression can call, and no other", () => {
    const written = rows.flatMap(([, forms = ""]) => [...forms.matchAll(/`([^`]+)`/g)].map(([, form = ""]) => form));
    const there = celLanguage().functions.map(({ receiver, form, returns }) =>
      form.startsWith("type(") ? "type(any): type" : `${receiver === null ? "" : `${receiver}.`}${form}: ${returns}`,
    );
    expect(written.toSorted()).toEqual([...new Set(there)].toSorted());
  });

  const examples = rows.flatMap(([, , , cell = ""]) =>
    [...cell.matchAll(/`([^`]+)` → `([^`]+)`/g)].map(
      ([, expression = "", result = ""]) => [expression, result] as const,
    ),
  );

  it("has an example for every row", () => {
    expect(rows.length).toBeGreaterThan(50);
    for (const [, forms, , cell = ""] of rows) expect(cell, forms).toContain(" → ");
    expect(examples.length).toBeGreaterThanOrEqual(rows.length);
  });

  it.each(examples)("says that %s is %s", (expression, result) => {
    expect(compileCel(expression).evaluate(scope)).toEqual(JSON.parse(result));
  });
});
