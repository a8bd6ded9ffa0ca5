import { expect, it } from "vitest";
import { withDefault } from "./with-default.ts";

it.each([
  ["$.a_output.x", "$.a_output.x", "$.a_output.x | default(null)"],
  ["Dear {{ $.a }}, {{$.b}} and {{ $.a }}", "$.a", 'Dear {{ $.a | default("") }}, {{$.b}} and {{ $.a | default("") }}'],
  ["{{ $.b }}", "$.a", "{{ $.b }}"],
])("%j with a default for %s", (text, path, expected) => {
  expect(withDefault(text, path)).toBe(expected);
});

it("another value stands in, also behind one that may be missing too", () => {
  expect(withDefault("$.a.x", "$.a.x", "$.b.x")).toBe("$.a.x | default($.b.x)");
  expect(withDefault("{{ $.a.x }}!", "$.a.x", "$.b.x")).toBe("{{ $.a.x | default($.b.x) }}!");
  const first = "$.a.x | default($.b.x)";
  expect(withDefault(first, first, "$.c.x")).toBe("$.a.x | default($.b.x) | default($.c.x)");
});
