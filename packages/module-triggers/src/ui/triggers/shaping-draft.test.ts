import { TriggerShapingSchema } from "@oven/contract/trigger";
import { expect, it } from "vitest";
import { largestUnit } from "./duration-field.tsx";
import { gathering, gatheringOf, switched, withPart } from "./shaping-draft.ts";

it("a part that is switched off leaves nothing behind, and what is left is what the server takes", () => {
  const batched = gathering(switched(null, "rate", true), "batch");
  expect(TriggerShapingSchema.safeParse(batched).success).toBe(true);
  const quiet = gathering(batched, "debounce");
  expect(Object.keys(quiet ?? {}).sort()).toEqual(["debounce", "rate"]);
  expect(gatheringOf(quiet)).toBe("debounce");
  expect(switched(gathering(quiet, "none"), "rate", false)).toBeNull();
  expect(withPart(null, "dedupe", undefined)).toBeNull();
});

it("a length of time is shown in the largest unit that needs no fraction", () => {
  expect([1_500, 90_000, 120_000, 7_200_000, 172_800_000].map(largestUnit)).toEqual([
    1_000, 1_000, 60_000, 3_600_000, 86_400_000,
  ]);
});
