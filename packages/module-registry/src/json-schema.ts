import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { JsonObject } from "@oven/contract";

export interface SchemaViolation {
  /** `$.message`, from the root given. */
  path: string;
  message: string;
}

/**
 * What in `value` does not fit a JSON Schema (2020-12). Interpreted: nothing is compiled to code.
 * @param root how the value itself is called, such as `$.input`
 */
export function violationsOf(schema: JsonObject, value: unknown, root: string): SchemaViolation[] {
  // cast: any object may be tried as a schema; unknown keywords are ignored by the specification
  const result = new Validator(schema as Schema, "2020-12", false).validate(value);
  return result.valid
    ? []
    : result.errors.filter(isSpecific).map((unit) => ({ path: toPath(root, unit), message: unit.error }));
}

/** The library also reports each parent ("property does not match schema"); the leaf says what is wrong. */
function isSpecific({ keyword }: OutputUnit): boolean {
  return !["properties", "items", "$ref", "allOf"].includes(keyword);
}

function toPath(root: string, { instanceLocation, keyword, error }: OutputUnit): string {
  const segments = instanceLocation
    .replace(/^#\/?/, "")
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"));
  const [, missing] = keyword === "required" ? (/property "(.*)"/.exec(error) ?? []) : [];
  return [...segments, ...(missing === undefined ? [] : [missing])].reduce(
    (path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : `${path}.${segment}`),
    root,
  );
}
