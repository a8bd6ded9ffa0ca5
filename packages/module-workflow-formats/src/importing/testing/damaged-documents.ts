import type { Json, JsonObject } from "@oven/contract";
import { expect } from "vitest";
import { readForeign } from "../read-foreign.ts";
import { refused } from "./read-imports.ts";

/** What is put where, and, when it is told of elsewhere, at which path. */
export type Damage = [at: string, value: Json | undefined, path?: string];

const asJson = (value: Json): string => JSON.stringify(value, null, 2);

/** A document that is sound is read, and with each of the damages it is refused at its place. */
export async function expectRefusals(sound: Json, damages: readonly Damage[], write = asJson): Promise<void> {
  expect(damages.length).toBeGreaterThanOrEqual(50);
  expect((await readForeign(write(sound))).report.elements.length).toBeGreaterThan(2);
  for (const [at, value, path = at] of damages) {
    const text = write(damaged(sound, at, value));
    const { code, details = {}, message } = await refused(text);
    const what = `${at} = ${JSON.stringify(value)}: ${message}`;
    const problems = (details.problems ?? []) as JsonObject[]; // cast: written with the error
    const told = problems.find((problem) => problem.path === path);
    expect([code, told?.path], what).toEqual(["SOURCE_INVALID", path]);
    const line = text.split("\n")[Number(told?.line) - 1] ?? "";
    const [, key] = /\.(\w+)$/.exec(path) ?? [];
    if (key !== undefined && value !== undefined && write === asJson) expect(line, what).toContain(`"${key}"`);
    else if (path === at && (typeof value === "number" || typeof value === "string"))
      expect(line, what).toContain(String(value));
    else expect(Number(told?.line), what).toBeGreaterThan(0);
  }
}

function damaged(sound: Json, at: string, value: Json | undefined): Json {
  const copy = structuredClone(sound);
  const keys = [...at.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index));
  let inner = copy as { [key: string | number]: Json }; // cast: the tables name objects and lists
  for (const key of keys.slice(0, -1)) inner = inner[key] as typeof inner; // cast: as above
  const last = keys.at(-1) ?? "";
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  return copy;
}
