import { expect, it } from "vitest";
import { withoutCredentials } from "./credentials.ts";

it("words that only sound like credentials stay", () => {
  for (const text of [
    "Bearer of bad news",
    "https://a.example/x?page=2&key={{ $.k }}",
    "Basic understanding",
    "sk-short",
  ])
    expect(withoutCredentials(text)).toBe(text);
});
