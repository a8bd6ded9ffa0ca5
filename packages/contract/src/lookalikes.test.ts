import { expect, it } from "vitest";
import { lookalikesIn } from "./lookalikes.ts";

it.each([
  ["Approve", "\u0410pprove"],
  ["copy", "\u0441\u043e\u0440\u0443"],
  ["payout", "pay\u03bfut"],
  ["send_all", "send_a1l"],
  ["Item", "ltem"],
  ["OK 10", "OK 1O"],
  ["modern", "modem"],
  ["ａｄｍｉｎ", "admin"],
  ["admin", "ad\u200bmin"],
  ["two words", "two  words"],
])("%j looks like %j", (one, other) => {
  expect(lookalikesIn([one, "another", other, one])).toEqual([[one, other]]);
});

it("groups all that look alike, and leaves names alone that are seen to differ", () => {
  const names = ["a", "\u0430", "\u03b1", "b", "step 1", "step 2", "Open", "open", "Zahl", "Zähl", "größe", "grosse"];
  expect(lookalikesIn(names)).toEqual([["a", "\u0430", "\u03b1"]]);
});
