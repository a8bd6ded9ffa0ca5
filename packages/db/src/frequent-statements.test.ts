import { expect, it } from "vitest";
import { FrequentStatements } from "./frequent-statements.ts";

it("names a statement from the fifth time on, each differently", () => {
  const frequent = new FrequentStatements();
  const ask = (text: string) => [1, 2, 3, 4, 5, 6].map(() => frequent.nameOf(text));
  expect(ask("a")).toEqual([undefined, undefined, undefined, undefined, "frequent-1", "frequent-1"]);
  expect(ask("b").slice(4)).toEqual(["frequent-2", "frequent-2"]);
});

it("names no more than a server can be asked to keep, and counts no more than it needs", () => {
  const frequent = new FrequentStatements();
  for (let text = 0; text < 5_000; text += 1) frequent.nameOf(`once ${text}`);
  const names = new Set<string>();
  for (let text = 0; text < 500; text += 1)
    for (let time = 0; time < 5; time += 1) {
      const name = frequent.nameOf(`often ${text}`);
      if (name !== undefined) names.add(name);
    }
  expect(names.size).toBe(100);
});
