import type { McpPending } from "@oven/contract/mcp";
import { expect, it } from "vitest";
import { pageOf } from "./review-questions.ts";

const pending = (context: McpPending["context"], actions = ["submit", "decline"]) =>
  ({ context, actions, url: "https://oven.example.com/reviews/7" }) as McpPending; // cast: what it looks at

it("leads the user of a client to our own pages only, and only for a question", () => {
  const link = "https://oven.example.com/account?connect=3";
  expect(pageOf(pending({ link }))).toBe(link);
  expect(pageOf(pending({ link: "https://evil.example/account?connect=3" }))).toBeUndefined();
  expect(pageOf(pending({ link: "https://oven.example.com.evil.example/" }))).toBeUndefined();
  expect(pageOf(pending({ link: "javascript:alert(1)" }))).toBeUndefined();
  expect(pageOf(pending({ link }, ["approve", "reject"]))).toBeUndefined();
  expect(pageOf(pending(null))).toBeUndefined();
});
