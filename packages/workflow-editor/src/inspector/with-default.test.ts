import { expect, it } from "vitest";
import { withDefault } from "./with-default.ts";

it.each([
  ["$.a_output.x", "$.a_output.x", "$.a_output.x | default(null)"],
  ["Dear {{ $.a }}, {{$.b}} and {{ $.a }}", "$.a", 'Dear {{ $.a | default("") }}, {{$.b}} and {{ $.a | default("") }}'],
  ["{{ $.b }}", "$.a", "{{ $.b }}"],
])("%j with a default for %s", (text, path, expected) => {
  expect(withDefault(text, path)).toBe(expected);
});
