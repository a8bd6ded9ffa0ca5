import type { Json } from "@oven/contract";
import { durationToMs, isPathText } from "@oven/contract/workflow";
import type { Most } from "@oven/module-registry";

/**
 * Milliseconds of a time that a step's input has: a number, or a duration such as PT15M. What only the run knows, an instant too, is
 * not bounded.
 * @param absent where the input has none
 */
export function writtenTime(value: Json | undefined, absent: Most): Most {
  if (value === undefined) return absent;
  const milliseconds = typeof value === "string" && !isPathText(value) ? durationToMs(value) : value;
  return typeof milliseconds === "number" ? milliseconds : { code: "computed" };
}

/** One after the other; what is not bounded stays so. */
export function addTimes(one: Most, other: Most): Most {
  if (typeof one !== "number") return one;
  return typeof other === "number" ? one + other : other;
}
