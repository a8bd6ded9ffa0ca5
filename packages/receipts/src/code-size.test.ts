import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = import.meta.dirname;

/** Lines that are neither empty nor a comment. */
function linesOfCode(text: string): number {
  return text.split("\n").filter((line) => !/^\s*(\/\/|\/\*|\*|$)/.test(line)).length;
}

it("is a program that a person can read: at most 500 lines of code", () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const total = files.reduce((sum, name) => sum + linesOfCode(readFileSync(join(folder, name), "utf8")), 0);
  expect(files.length).toBeGreaterThan(5);
  expect(total).toBeLessThanOrEqual(500);
});

it("needs nothing but Node's cryptography and zod", () => {
  const imported = readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(/from "([^".][^"]*)"/g)])
    .map(([, from]) => from);
  expect([...new Set(imported)].sort()).toEqual(["node:buffer", "node:crypto", "zod"]);
});
