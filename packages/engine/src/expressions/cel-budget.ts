import { getOwn, isObject } from "./json-access.ts";

/*
 * What one evaluation may cost. The library limits parsing only, so the operands of everything that takes time or memory in
 * proportion to data go through these functions, which count and let the value pass. Evaluation is synchronous: one meter.
 */

/** One unit is about one item touched, or eight characters. */
const BUDGET = 1_000_000;
const CHARACTERS_PER_UNIT = 8;
const PER_COMPARISON = 4;

let left = BUDGET;
/** Left sides of comparisons whose right side is still to come. */
const pending: unknown[] = [];

/** Begins an evaluation. */
export function resetBudget(): void {
  left = BUDGET;
  pending.length = 0;
}

/** @throws RangeError once the evaluation has cost too much */
export function spend(units: number): void {
  left -= units;
  if (left < 0) throw new RangeError("it takes too many steps, or its result is too large");
}

/** For an operand that is copied or searched through: text by its length, a list by its items and their text. */
export function spendOn(value: unknown): unknown {
  if (Array.isArray(value)) {
    spend(1 + value.length);
    for (const item of value) if (typeof item === "string") spend(item.length / CHARACTERS_PER_UNIT);
  } else if (typeof value === "string" || value instanceof Uint8Array) spend(1 + value.length / CHARACTERS_PER_UNIT);
  else spend(1);
  return value;
}

/** The left operand of `==`, `!=` or `in`; counted with the right one. */
export function spendOnLeft(value: unknown): unknown {
  pending.push(value);
  return value;
}

/** The right operand of `==` and `!=`: as much as comparing takes. */
export function spendOnEqual(value: unknown): unknown {
  spendOnComparing(pending.pop(), value);
  return value;
}

/** The right operand of `in`: every item of a list may be compared; a map is asked for one key. */
export function spendOnIn(value: unknown): unknown {
  const wanted = pending.pop();
  if (Array.isArray(value)) for (const item of value) spendOnComparing(wanted, item);
  else spend(1);
  return value;
}

/** Goes along with a comparison until it would stop. */
function spendOnComparing(one: unknown, other: unknown): void {
  const open: [unknown, unknown][] = [[one, other]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    spend(PER_COMPARISON);
    if (a === b) continue;
    if (typeof a === "string" && typeof b === "string") {
      if (a.length === b.length) spend(a.length / CHARACTERS_PER_UNIT);
    } else if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) continue;
      for (const [index, item] of a.entries()) open.push([item, b[index]]);
    } else if (isObject(a) && isObject(b)) {
      const keys = Object.keys(a);
      spend(keys.length);
      if (keys.length === Object.keys(b).length) for (const key of keys) open.push([getOwn(a, key), getOwn(b, key)]);
    }
  }
}

/** A piece of the result, which is copied: lists and objects piece by piece. */
export function spendOnResult(value: unknown): void {
  spend(typeof value === "string" ? 1 + value.length / CHARACTERS_PER_UNIT : 1);
}

/** A search by pattern looks at every character. */
export function spendOnMatching(text: string): void {
  spend(text.length);
}
