import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "../expressions/json-access.ts";
import { misspelt } from "./nearest.ts";
import type { PathPart, Problems } from "./problems.ts";

/** What the value of a keyword must be, and how to write it. */
interface Keyword {
  takes(value: Json): boolean;
  what: string;
  example: string;
}

const isCount = (value: Json): boolean => Number.isInteger(value) && Number(value) >= 0;
const isTexts = (value: Json): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string") && new Set(value).size === value.length;
const isSchema = (value: Json): boolean => typeof value === "boolean" || isObject(value);
const isSchemas = (value: Json): boolean => Array.isArray(value) && value.length > 0 && value.every(isSchema);

const COUNT: Keyword = { takes: isCount, what: "a whole number from 0 on", example: "1" };
const NUMBER: Keyword = { takes: (value) => typeof value === "number", what: "a number", example: "0" };
const TEXT: Keyword = { takes: (value) => typeof value === "string", what: "a text", example: '"…"' };
const FLAG: Keyword = { takes: (value) => typeof value === "boolean", what: "true or false", example: "true" };
const LIST: Keyword = { takes: Array.isArray, what: "a list", example: '["a", "b"]' };
const ANY: Keyword = { takes: () => true, what: "anything", example: "null" };
const SCHEMA: Keyword = { takes: isSchema, what: "a schema", example: '{"type": "string"}' };
const SCHEMAS: Keyword = {
  takes: isSchemas,
  what: "a list of schemas with at least one",
  example: '[{"type": "string"}]',
};
const MAP: Keyword = {
  takes: (value) => isObject(value) && Object.values(value).every(isSchema),
  what: "an object of schemas",
  example: '{"message": {"type": "string"}}',
};
const BOUND: Keyword = {
  ...NUMBER,
  what: "a number; true and false are of draft 4",
  example: '"exclusiveMinimum": 0 in the place of "minimum": 0, "exclusiveMinimum": true',
};

const ENUM: Keyword = {
  takes: (value) => Array.isArray(value) && value.length > 0,
  what: "a list with at least one value",
  example: '["small", "large"]',
};
const STEP: Keyword = {
  takes: (value) => typeof value === "number" && value > 0,
  what: "a number above 0",
  example: "0.5",
};
const KEYS: Keyword = { takes: isTexts, what: "a list of keys, each once", example: '["message"]' };
const KEYS_OF: Keyword = {
  takes: (value) => isObject(value) && Object.values(value).every(isTexts),
  what: "an object of lists of keys",
  example: '{"card": ["address"]}',
};
const KEYS_OR_SCHEMA_OF: Keyword = {
  takes: (value) => isObject(value) && Object.values(value).every((one) => isTexts(one) || isSchema(one)),
  what: "an object of schemas or lists of keys",
  example: '{"card": ["address"]}',
};
const ITEMS: Keyword = {
  ...SCHEMA,
  what: "one schema, for every entry",
  example: '{"type": "string"}; schemas for the first entries are prefixItems',
};

/**
 * The keywords of JSON Schema 2020-12 and those of earlier drafts that still mean the same: https://json-schema.org/draft/2020-12/schema.
 * `type`, `pattern` and `$ref` are looked at where schemas are walked through.
 */
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  (
    [
      [
        TEXT,
        "$id $schema $anchor $dynamicAnchor $dynamicRef $comment title description format contentEncoding contentMediaType",
      ],
      [ANY, "$vocabulary default const type pattern $ref"],
      [LIST, "examples"],
      [FLAG, "deprecated readOnly writeOnly uniqueItems"],
      [ENUM, "enum"],
      [STEP, "multipleOf"],
      [NUMBER, "minimum maximum"],
      [BOUND, "exclusiveMinimum exclusiveMaximum"],
      [COUNT, "minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties"],
      [KEYS, "required"],
      [KEYS_OF, "dependentRequired"],
      [KEYS_OR_SCHEMA_OF, "dependencies"],
      [MAP, "$defs definitions properties patternProperties dependentSchemas"],
      [SCHEMAS, "prefixItems allOf anyOf oneOf"],
      [ITEMS, "items"],
      [
        SCHEMA,
        "additionalProperties unevaluatedProperties propertyNames additionalItems unevaluatedItems contains not if then else contentSchema",
      ],
    ] as const
  ).flatMap(([keyword, names]) => names.split(" ").map((name) => [name, keyword] as const)),
);

/** Keywords that restrict nothing. Older drafts have some of them not, so that anything can stand there. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...["$comment", "title", "description", "examples", "deprecated", "readOnly", "writeOnly"],
  ...["contentEncoding", "contentMediaType", "contentSchema"],
]);

/** Whether it restricts nothing and is not what the standard says of it. */
export function isOddAnnotation(name: string, value: Json): boolean {
  return ANNOTATIONS.has(name) && KEYWORDS.get(name)?.takes(value) !== true;
}

/** Annotations of OpenAPI that look like keywords. */
const OF_OTHERS: ReadonlySet<string> = new Set(["example", "nullable"]);

/** What is wrong with the keywords of one schema, apart from the schemas within it. */
export function checkKeywords(schema: JsonObject, path: PathPart[], problems: Problems): void {
  for (const [name, value] of Object.entries(schema)) {
    const keyword = KEYWORDS.get(name);
    if (keyword === undefined) {
      const meant = OF_OTHERS.has(name) ? undefined : misspelt(name, KEYWORDS.keys());
      // Other keywords are annotations, which the standard allows; only what looks like a mistake is said.
      if (meant !== undefined)
        problems.warn(
          [...path, name],
          "json-schema",
          `${name} is no keyword of JSON Schema, so it checks nothing`,
          `Did you mean ${meant}?`,
        );
    } else if (!keyword.takes(value)) {
      problems.error(
        [...path, name],
        "json-schema",
        `${name} takes ${keyword.what}, not ${JSON.stringify(value)}`,
        `For example ${keyword.example}.`,
      );
    }
  }
}
