import { isOvenError, type Json, type JsonObject, readJson } from "@oven/contract";
import type { SessionCondition, SessionGraphSpec, SessionPath, SessionStep } from "@oven/contract/formats/sessions.ts";
import { SessionConditionSchema } from "@oven/contract/formats/sessions.ts";
import { isObject } from "@oven/engine";
import { z } from "zod";

/** A path with its place in the document. */
export interface GraphPath {
  to: string;
  conditions: SessionCondition[];
  operator: "AND" | "OR";
  place: number;
}

/** Undefined: the text is not JSON. */
function parseText(text: string): Json | undefined {
  try {
    return readJson(text).value;
  } catch (error) {
    if (!(error instanceof SyntaxError || isOvenError(error))) throw error;
    return undefined;
  }
}

/** The input of a step, also where it is given as text. Undefined: it is not an object. */
export function inputOf({ input = {} }: SessionStep): JsonObject | undefined {
  const value = typeof input === "string" ? (input.trim() === "" ? {} : parseText(input)) : input;
  return isObject(value) ? value : undefined;
}

/** Undefined: they are not conditions. */
export function conditionsOf({ conditions = [] }: SessionPath): SessionCondition[] | undefined {
  if (typeof conditions !== "string") return conditions;
  const value = conditions.trim() === "" ? [] : parseText(conditions);
  return z.array(SessionConditionSchema).safeParse(value).data;
}

/** What leads on from a step: by priority, then as the document has them. */
export function pathsFrom({ next = [] }: SessionGraphSpec, step: string): GraphPath[] {
  return next
    .map((path, place) => ({ path, place }))
    .filter(({ path }) => path.from === step)
    .toSorted((one, other) => rank(one.path) - rank(other.path) || one.place - other.place)
    .map(({ path, place }) => ({
      to: path.to,
      conditions: conditionsOf(path) ?? [],
      operator: path.operator ?? "AND",
      place,
    }));
}

// Not infinity: two without a priority are equal, and infinity minus itself is no number.
const rank = ({ priority }: SessionPath): number => priority ?? Number.MAX_VALUE;
