import { describe, expect, it } from "vitest";
import { simulatedCatalog } from "../simulation/simulated-nodes.ts";
import { BASE_DEFINITIONS } from "./base-definitions.ts";
import { whatBreaks } from "./check-definition.ts";
import { placesOf } from "./json-places.ts";
import { MUTATIONS } from "./mutations.ts";
import { runGenerated } from "./run-generated.ts";

const catalog = simulatedCatalog();
const bases = Object.entries(BASE_DEFINITIONS);

describe("a definition that is wrong", () => {
  it("is made from definitions that are right", () => {
    let valid = 0;
    const broken = bases.flatMap(([, base]) => whatBreaks(base, catalog, () => (valid += 1)) ?? []);
    expect(broken).toEqual([]);
    expect(valid).toBe(bases.length);
  });

  it("is refused at its place, or runs, whatever was done to it by hand", () => {
    const found: string[] = [];
    let tried = 0;
    for (const [base, definition] of bases)
      for (const { name, fits, apply } of MUTATIONS)
        for (const place of placesOf(definition)) {
          if (!fits(definition, place)) continue;
          tried += 1;
          const broken = whatBreaks(apply(definition, place), catalog);
          if (broken !== undefined) found.push(`${base}, ${name} at ${place.join(".")}: ${broken}`);
        }
    expect(found).toEqual([]);
    expect(tried).toBeGreaterThan(5_000);
  });

  it("is refused at its place, or runs, whatever was generated", () => {
    const { valid, failure } = runGenerated(1, 5_500);
    expect(failure).toBeUndefined();
    expect(valid).toBeGreaterThan(500);
  });
});
