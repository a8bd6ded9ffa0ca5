import type { JsonObject } from "@oven/contract";
import fc from "fast-check";
import { BASE_DEFINITIONS } from "./malformed/base-definitions.ts";
import { cases } from "./simulation/shape.ts";
import { toDefinition } from "./simulation/to-definition.ts";

/** Valid definitions: those that use everything the format has, and random ones; their nodes are those of the simulation. */
export const generatedDefinitions: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom(...Object.values(BASE_DEFINITIONS)),
  cases.map((given) => toDefinition(given).definition),
);
