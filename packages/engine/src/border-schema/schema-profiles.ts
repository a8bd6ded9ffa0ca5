/** The APIs that OVEN hands schemas to, each with its own subset of JSON Schema; providers say which one they speak. `mcp`: MCP clients, which hand it on to models of any provider. */
export const SCHEMA_PROFILES = ["openai-strict", "openai-api", "anthropic-api", "gemini-api", "mcp"] as const;
export type SchemaProfile = (typeof SCHEMA_PROFILES)[number];

/**
 * How a keyword is sent: as it is (`yes`), as it is but not at the root of the arguments (`inside`), by another keyword that says the
 * same or less, or not at all (`no`).
 */
export type Support = "yes" | "inside" | "no" | "enum" | "anyOf" | "minimum" | "maximum";

type Provider = Exclude<SchemaProfile, "mcp">;

/** `openai-strict`, `openai-api`, `anthropic-api`, `gemini-api`. */
const TABLE: ReadonlyMap<string, readonly [Support, Support, Support, Support]> = new Map([
  ["type", ["yes", "yes", "yes", "yes"]],
  ["enum", ["yes", "inside", "yes", "yes"]],
  ["const", ["enum", "yes", "yes", "enum"]],
  ["properties", ["yes", "yes", "yes", "yes"]],
  ["required", ["yes", "yes", "yes", "yes"]],
  ["additionalProperties", ["yes", "yes", "yes", "yes"]],
  ["patternProperties", ["no", "no", "no", "no"]],
  ["propertyNames", ["no", "no", "yes", "no"]],
  ["minProperties", ["no", "yes", "yes", "no"]],
  ["maxProperties", ["no", "yes", "yes", "no"]],
  ["dependentRequired", ["no", "no", "no", "no"]],
  ["dependentSchemas", ["no", "no", "no", "no"]],
  ["unevaluatedProperties", ["no", "no", "no", "no"]],
  ["items", ["yes", "yes", "yes", "yes"]],
  ["prefixItems", ["no", "yes", "yes", "yes"]],
  ["unevaluatedItems", ["no", "no", "no", "no"]],
  ["minItems", ["yes", "yes", "yes", "yes"]],
  ["maxItems", ["yes", "yes", "yes", "yes"]],
  ["uniqueItems", ["no", "yes", "yes", "no"]],
  ["contains", ["no", "yes", "yes", "no"]],
  ["minContains", ["no", "yes", "yes", "no"]],
  ["maxContains", ["no", "yes", "yes", "no"]],
  ["minimum", ["yes", "yes", "yes", "yes"]],
  ["maximum", ["yes", "yes", "yes", "yes"]],
  ["exclusiveMinimum", ["yes", "yes", "yes", "minimum"]],
  ["exclusiveMaximum", ["yes", "yes", "yes", "maximum"]],
  ["multipleOf", ["yes", "yes", "yes", "no"]],
  ["minLength", ["no", "yes", "yes", "no"]],
  ["maxLength", ["no", "yes", "yes", "no"]],
  ["pattern", ["yes", "yes", "yes", "no"]],
  ["format", ["yes", "yes", "yes", "yes"]],
  ["anyOf", ["inside", "inside", "inside", "inside"]],
  ["oneOf", ["anyOf", "inside", "inside", "anyOf"]],
  ["allOf", ["no", "inside", "inside", "no"]],
  ["not", ["no", "inside", "inside", "no"]],
  ["if", ["no", "no", "no", "no"]],
  ["then", ["no", "no", "no", "no"]],
  ["else", ["no", "no", "no", "no"]],
]);

const COLUMNS: Record<Provider, 0 | 1 | 2 | 3> = {
  "openai-strict": 0,
  "openai-api": 1,
  "anthropic-api": 2,
  "gemini-api": 3,
};
const STRICTNESS: readonly Support[] = ["yes", "inside", "enum", "anyOf", "minimum", "maximum", "no"];

/** Every keyword that restricts values, and what is done with it. What is not in it is a comment, or changes nothing. */
export const KEYWORDS: readonly string[] = [...TABLE.keys()];

/** What becomes of a keyword; undefined for one that restricts nothing. */
export function supportOf(keyword: string, profile: SchemaProfile): Support | undefined {
  const row = TABLE.get(keyword);
  if (row === undefined) return undefined;
  if (profile !== "mcp") return row[COLUMNS[profile]];
  // Clients of Gemini translate schemas themselves; those of the others send them on as they get them.
  const both = [row[COLUMNS["openai-api"]], row[COLUMNS["anthropic-api"]]];
  return both.toSorted((a, b) => STRICTNESS.indexOf(b) - STRICTNESS.indexOf(a))[0];
}

interface ProfileRules {
  /** Formats that are taken; absent: any. */
  formats?: ReadonlySet<string>;
  /** Names that properties may have; absent: any. */
  names?: RegExp;
  /** Only texts and numbers can be in `enum`. */
  plainEnums?: boolean;
  /** Comments other than title and description are refused or ignored. */
  fewComments?: boolean;
}

const TEXT_FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const NAMES = /^[A-Za-z0-9_.-]{1,64}$/;

export const PROFILE_RULES: Readonly<Record<SchemaProfile, ProfileRules>> = {
  "openai-strict": { formats: new Set(TEXT_FORMATS), fewComments: true },
  "openai-api": {},
  "anthropic-api": { names: NAMES },
  "gemini-api": {
    formats: new Set(["date-time", "date", "time", "int32", "int64", "float", "double"]),
    plainEnums: true,
    fewComments: true,
  },
  mcp: { names: NAMES },
};
