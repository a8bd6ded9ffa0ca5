import { sweepEscapes } from "@oven/engine/testing";
import { expect, it } from "vitest";
import { exampleFacts } from "./facts.ts";
import { checkWords, renderMessage } from "./render.ts";

it.each(["subject", "text"] as const)(
  "texts that reach for the machine reach nothing from a rule's %s",
  async (key) => {
    const wordsOf = (text: string) => ({ subject: null, text: null, [key]: text });
    const saved = await sweepEscapes((text) => {
      checkWords(wordsOf(text), ["run.failed", "review.opened"]);
      return renderMessage(wordsOf(text), exampleFacts("run.failed"));
    });
    expect(saved.reached).toEqual([]);
    expect(saved.ran).toBeGreaterThan(0);
    expect(
      saved.refused.filter(({ error }) => (error as { code?: string }).code !== "INVALID_NOTIFICATION_RULE"),
    ).toEqual([]); // cast: read only
    // What was saved before a check existed is told with our words.
    const told = await sweepEscapes((text) => renderMessage(wordsOf(text), exampleFacts("run.failed")));
    expect(told).toMatchObject({ reached: [], refused: [] });
  },
);
