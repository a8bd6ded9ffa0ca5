import type { ModelPrice } from "@oven/contract/ai";
import { describe, expect, it } from "vitest";
import { toDollars, toMicros, toPriceWords } from "./price-words.ts";

describe("prices", () => {
  it.each([
    [2_500_000, "$2.50"],
    [15_000_000, "$15.00"],
    [75_000, "$0.075"],
    [1, "$0.000001"],
    [0, "$0.00"],
  ])("%d millionths read %s, and are read again as the same", (micros, text) => {
    expect(toDollars(micros)).toBe(text);
    expect(toMicros(text)).toBe(micros);
  });

  it.each([
    ["", 0],
    ["-1", null],
    ["two", null],
    ["9999999999999", null],
    [" 0.4 ", 400_000],
  ])("what is typed as %j is %s", (text, micros) => {
    expect(toMicros(text)).toBe(micros);
  });

  it("say what is counted how", () => {
    const none = { inputMicros: 0, cachedInputMicros: 0, outputMicros: 0, imageMicros: 0, videoSecondMicros: 0 };
    const words = (price: Partial<ModelPrice>): string => toPriceWords({ ...none, ...price } as ModelPrice); // cast: the rest is not read
    expect(words({ inputMicros: 2_500_000, cachedInputMicros: 1_250_000, outputMicros: 10_000_000 })).toBe(
      "$2.50 in, $1.25 cached, $10.00 out a million tokens",
    );
    expect(words({ inputMicros: 20_000, cachedInputMicros: 20_000 })).toBe("$0.02 in a million tokens");
    expect(words({ imageMicros: 40_000 })).toBe("$0.04 an image");
    expect(words({})).toBe("costs nothing");
  });
});
