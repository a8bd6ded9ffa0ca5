import { type Json, type JsonObject, type JsonPath, LONG_NUMBER_FORMATS, schemasAt } from "@oven/contract";
import type { ApiBody } from "@oven/contract/api";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DEEPEST = 200;

/**
 * The JSON of a body in which a number came as text, because it is longer than a number here can be, and the API expects a number.
 * Undefined: there is none.
 */
export function toJsonText(value: Json, schema: JsonObject, body: ApiBody): string | undefined {
  const places = new Map(Object.entries(body.properties).map(([property, name]) => [name, property]));
  const inInput = (path: JsonPath): JsonPath => {
    if (body.property !== null) return [body.property, ...path];
    const [first, ...others] = path;
    return [places.get(String(first)) ?? String(first), ...others];
  };
  let found = false;
  const write = (each: Json, path: JsonPath): string => {
    if (typeof each === "string") {
      if (!NUMBER.test(each) || !isNumberAt(schema, inInput(path))) return JSON.stringify(each);
      found = true;
      return each;
    }
    if (typeof each !== "object" || each === null || path.length > DEEPEST) return JSON.stringify(each);
    if (Array.isArray(each)) return `[${each.map((item, at) => write(item, [...path, at])).join(",")}]`;
    const members = Object.entries(each).map(
      ([key, inner]) => `${JSON.stringify(key)}:${write(inner, [...path, key])}`,
    );
    return `{${members.join(",")}}`;
  };
  const text = write(value, []);
  return found ? text : undefined;
}

/** Whether a schema takes only numbers there, of a format that may be longer than a number here can be. */
function isNumberAt(schema: JsonObject, path: JsonPath): boolean {
  const here = schemasAt(schema, path);
  if (!here.some(({ format }) => typeof format === "string" && LONG_NUMBER_FORMATS.has(format))) return false;
  const types = here.flatMap(({ type }) => (Array.isArray(type) ? type : [type]));
  return (types.includes("integer") || types.includes("number")) && !types.includes("string");
}
