import { describe, expect, it } from "vitest";
import { diffTexts, firstDifference, shortenSame } from "./text-diff.ts";

const written = (before: string, after: string): string | null =>
  diffTexts(before, after)
    ?.map(({ kind, text }) => (kind === "same" ? text : kind === "added" ? `{+${text}+}` : `[-${text}-]`))
    .join("") ?? null;

describe("the difference of two texts", () => {
  it("is shown word by word, with spaces and line breaks as they are", () => {
    expect(written("Dear Ada,\nwe pay 12.00 € today.", "Dear Ada,\nwe pay 21.00 € on Friday.")).toBe(
      "Dear Ada,\nwe pay [-12-]{+21+}.00 € [-today-]{+on Friday+}.",
    );
    expect(written("same text", "same text")).toBe("same text");
  });

  it("gives both texts back when its parts are put together", () => {
    const before = "The parcel  is late, and the customer waits.";
    const after = "The parcel is late and the customer has waited long.";
    const parts = diffTexts(before, after) ?? [];
    const without = (kind: string) =>
      parts
        .filter((part) => part.kind !== kind)
        .map(({ text }) => text)
        .join("");
    expect(without("added")).toBe(before);
    expect(without("removed")).toBe(after);
  });

  it("is none for texts that have nearly nothing in common, or too many changes", () => {
    expect(diffTexts("Good day", "Completely other words here")).toBeNull();
    expect(diffTexts("", "new")).toBeNull();
    expect(diffTexts("https://one.example.com", "https://two.example.com")).toBeNull();
    const words = (from: number) => Array.from({ length: 3_000 }, (_, index) => `word${from + index} the`).join(" ");
    expect(diffTexts(words(0), words(5_000))).toBeNull();
  });

  it("leaves out what is far from a change", () => {
    const long = "unchanged ".repeat(100);
    const parts = shortenSame(diffTexts(`${long}one ${long}`, `${long}two ${long}`) ?? []);
    expect(parts.map(({ kind }) => kind)).toEqual(["same", "removed", "added", "same"]);
    expect(parts[0]?.text).toMatch(/^… .*unchanged $/);
    expect(parts[3]?.text).toMatch(/^ unchanged.* …$/);
    expect(Math.max(...parts.map(({ text }) => text.length))).toBeLessThan(80);
  });

  it("begins where the first character differs", () => {
    expect(firstDifference("Good day", "Good night")).toBe(5);
    expect(firstDifference("same", "same and more")).toBe(4);
  });
});
