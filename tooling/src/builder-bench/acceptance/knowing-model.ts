import type { Json, JsonObject } from "../../../../packages/contract/src/index.ts";
import type { ModelReply, RecordedRequest } from "../../../../packages/testing/src/index.ts";
import type { AcceptanceCase } from "../task.ts";

/*
 * The model that a candidate's steps ask. It knows the facts of the case and answers in whatever shape the step asks for: solutions name fields
 * of their own. Where the schema has a field that it knows it gives that fact; where it lists values, the fact that is one of them.
 */

export function answerFromFacts(
  { facts = {}, factsWhere = {} }: Pick<AcceptanceCase, "facts" | "factsWhere">,
  { body }: RecordedRequest,
): ModelReply {
  const asked = lastOf(body.messages);
  const more = Object.entries(factsWhere).filter(([text]) => asked.includes(text));
  const known: JsonObject = Object.assign({}, facts, ...more.map(([, one]) => one));
  const schema = schemaOf(body);
  if (schema !== undefined) return { text: JSON.stringify(fill(schema, "", known)) };
  return { text: String(Object.values(known).find((fact) => typeof fact === "string") ?? "Nothing is known.") };
}

/** Earlier messages of the conversation are about other things. */
function lastOf(messages: Json | undefined): string {
  const users = Array.isArray(messages) ? messages.filter((one) => isObject(one) && one.role === "user") : [];
  return JSON.stringify(users.at(-1) ?? "");
}

function schemaOf(body: JsonObject): JsonObject | undefined {
  const format = body.response_format as { json_schema?: { schema?: JsonObject } } | undefined; // cast: the wire's own shape
  return format?.json_schema?.schema;
}

function fill(schema: JsonObject, name: string, facts: JsonObject): Json {
  const known = facts[name];
  const { enum: values, type, properties, items } = schema;
  if (Array.isArray(values)) {
    if (known !== undefined && values.includes(known)) return known;
    return values.find((value) => Object.values(facts).includes(value)) ?? values[0] ?? null;
  }
  if (isObject(properties)) {
    const inside = isObject(known) ? { ...facts, ...known } : facts;
    return Object.fromEntries(
      Object.entries(properties).map(([key, one]) => [key, isObject(one) ? fill(one, key, inside) : null]),
    );
  }
  if (known !== undefined) return known;
  if (type === "array") return isObject(items) ? [] : null;
  if (Array.isArray(type) && type.includes("null")) return null;
  const ofType = Object.values(facts).find((fact) => typeof fact === (type === "integer" ? "number" : type));
  return ofType ?? (type === "string" ? "" : type === "boolean" ? false : type === "null" ? null : 0);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
