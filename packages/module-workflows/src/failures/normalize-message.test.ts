import { expect, it } from "vitest";
import { normalizeMessage } from "./normalize-message.ts";

it.each([
  ["Order 8841 was not found", "Order 9 was not found", "Order # was not found"],
  ['No field "total" in row 3', 'No field "sum of all" in row 17', "No field … in row #"],
  ["timed out after 30.5 s", "timed out after 1,200 s", "timed out after # s"],
  [
    "request req_01HZX3K9ABCDEF42 was refused",
    "request 7d444840-9dc0-11d1-b245-5ffdce74fad2 was refused",
    "request <id> was refused",
  ],
  ["GET https://a.example/x?y=1 answered 503", "GET https://b.example/z answered 502", "GET <url> answered #"],
  ["due 2026-03-02T10:00:00Z is past", "due 2025-12-24 is past", "due <time> is past"],
  ["node `ask` said\n  nothing", "node `tell` said nothing", "node … said nothing"],
])("%s and %s are one kind of failure", (one, other, normal) => {
  expect(normalizeMessage(one)).toBe(normal);
  expect(normalizeMessage(other)).toBe(normal);
  expect(normalizeMessage(normal)).toBe(normal);
});

it("leaves words, codes and apostrophes alone", () => {
  expect(normalizeMessage("The model doesn't answer: ECONNREFUSED")).toBe("The model doesn't answer: ECONNREFUSED");
  expect(normalizeMessage("$.ask_output.total is missing, and isn't given elsewhere")).toBe(
    "$.ask_output.total is missing, and isn't given elsewhere",
  );
  expect(normalizeMessage("step2 of utf8 failed")).toBe("step2 of utf8 failed");
});

it("is quick and short for what is long", () => {
  const long = `${"a1".repeat(50_000)} "${"'".repeat(50_000)}`;
  expect(normalizeMessage(long).length).toBeLessThanOrEqual(300);
});
