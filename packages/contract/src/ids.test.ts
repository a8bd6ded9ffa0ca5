import { describe, expect, it } from "vitest";
import { isStateId, REFUSED_STATE_IDS, SlugSchema, toSlug } from "./ids.ts";

describe("slugs", () => {
  it.each(["a", "a1", "1a", "a-b-c", "a".repeat(63), "0-0"])("takes %s", (slug) => {
    expect(SlugSchema.safeParse(slug).success).toBe(true);
  });

  it.each([
    "",
    "A",
    "a b",
    "-a",
    "a-",
    "a--b",
    "ä",
    "a_b",
    "a.b",
    "a/b",
    "7",
    "0123",
    "oven",
    "new",
    "import",
    "a".repeat(64),
    "a\n",
    "a\u0000",
  ])("refuses %j", (slug) => {
    expect(SlugSchema.safeParse(slug).success).toBe(false);
  });

  it.each([
    ["Support reply!", "support-reply"],
    ["Crème brûlée", "creme-brulee"],
    ["Ångström", "angstrom"],
    ["  --x--  ", "x"],
    ["2026", "workflow-2026"],
    ["New", "workflow-new"],
    ["日本語", "workflow"],
    ["🦊", "workflow"],
    ["", "workflow"],
    ["ﬁne", "fine"],
  ])("makes of %j the slug %s", (name, slug) => {
    expect(toSlug(name)).toBe(slug);
  });

  it("makes a slug that is one of any name, however long or odd", () => {
    const letters = ["a", "-", " ", "9", "é", "ß", "\u0000", "\ud800", "İ", "x".repeat(30), "4".repeat(70)];
    for (let seed = 0; seed < 3_000; seed++) {
      const name = Array.from(
        { length: seed % 9 },
        (_, index) => letters[(seed * 7 + index * (seed % 13)) % letters.length],
      ).join("");
      const slug = toSlug(name);
      expect(SlugSchema.safeParse(slug).success, `${JSON.stringify(name)} → ${slug}`).toBe(true);
    }
  });
});

describe("state ids", () => {
  it.each(["a", "_", "A-b_9", "a".repeat(64)])("takes %s", (id) => {
    expect(isStateId(id)).toBe(true);
  });

  it.each(["", "9a", "-a", "a b", "a.b", "é", "a\n", "a".repeat(65), ...REFUSED_STATE_IDS])("refuses %j", (id) => {
    expect(isStateId(id)).toBe(false);
  });
});
