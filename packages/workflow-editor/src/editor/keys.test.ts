import { describe, expect, it } from "vitest";
import { formatKeys, isMac, type KeyPress, matchesKeys } from "./keys.ts";

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
});

describe("keys", () => {
  it.each([
    ["Mod+Z", press("z", { ctrlKey: true }), true],
    ["Mod+Z", press("Z", { ctrlKey: true, shiftKey: true }), false],
    ["Mod+Shift+Z", press("Z", { ctrlKey: true, shiftKey: true }), true],
    ["Mod+Z", press("z", { metaKey: true }), false],
    ["Mod+Z", press("z"), false],
    ["D", press("d"), true],
    ["D", press("d", { ctrlKey: true }), false],
    ["?", press("?", { shiftKey: true }), true],
    ["Plus", press("+", { shiftKey: true }), true],
    ["Alt+X", press("x", { altKey: true }), true],
    ["Shift+ArrowLeft", press("ArrowLeft"), false],
    ["1", press("1"), true],
  ])("%s: %j is %s", (keys, event, expected) => {
    expect(matchesKeys(event, keys, false)).toBe(expected);
  });

  it("take the command key on a Mac", () => {
    expect(matchesKeys(press("z", { metaKey: true }), "Mod+Z", true)).toBe(true);
    expect(matchesKeys(press("z", { ctrlKey: true }), "Mod+Z", true)).toBe(false);
    expect([isMac("MacIntel"), isMac("Linux x86_64")]).toEqual([true, false]);
  });

  it("are written as on the keyboard", () => {
    expect([formatKeys("Mod+Shift+Z", false), formatKeys("Mod+Shift+Z", true)]).toEqual(["Ctrl Shift Z", "⌘⇧Z"]);
    expect(formatKeys("Shift+ArrowLeft", false)).toBe("Shift ←");
  });
});
