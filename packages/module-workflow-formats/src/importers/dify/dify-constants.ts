import { isOvenError, type Json, parseJson } from "@oven/contract";
import { toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";

/** A constant of a type that may be written as text; it is never a template. @throws NoEquivalent */
export function constantOf(value: Json, type: string): Json {
  if (typeof value !== "string" || type === "string" || type === "secret") return toLiteral(value);
  if (value.trim() === "" && type.startsWith("array")) return [];
  try {
    return toLiteral(parseJson(value));
  } catch (cause) {
    if (isOvenError(cause)) throw new NoEquivalent(cause.message);
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new NoEquivalent(`${JSON.stringify(value)} is no value of the type ${type}`);
  }
}
