import { isObject, isOvenError, type Json, type JsonObject, type JsonPath, readJson } from "@oven/contract";
import { CORE_SCHEMA, defineScalarTag, intCoreTag, load, mergeTag } from "js-yaml";
import { unreadable } from "./unreadable.ts";

const DEEPEST = 400;
const MOST_VALUES = 8_000_000;
/** Values that stand for values of the API, where no digit may be lost. */
const DATA: ReadonlySet<PropertyKey> = new Set(["default", "enum", "const", "example", "examples"]);
const FIX = "Give a document of OpenAPI or Swagger as JSON or YAML, or a schema of GraphQL.";

/**
 * The object that a text is, as JSON or YAML. It is not too deep and not too large to be walked through.
 * @throws OvenError API_DOCUMENT_UNREADABLE
 */
export function parseText(text: string): JsonObject {
  const value = text.trimStart().startsWith("{") ? fromJson(text) : fromYaml(text);
  if (!isObject(value)) throw unreadable("The document is neither an object in JSON nor in YAML", FIX);
  checkSize(value);
  return value;
}

function fromJson(text: string): Json {
  try {
    return readJson(text, isData).value;
  } catch (error) {
    if (isOvenError(error)) throw unreadable(error.message, "Flatten it.", error);
    if (!(error instanceof SyntaxError)) throw error;
    // YAML may begin with a brace as well.
    return fromYaml(text);
  }
}

const isData = (path: JsonPath): boolean => path.some((part) => DATA.has(part));

function fromYaml(text: string): Json {
  try {
    // cast: what the schema below makes is JSON, but for numbers such as .inf
    return load(text, { schema: YAML, json: true, maxDepth: DEEPEST }) as Json;
  } catch (error) {
    // The library throws other errors than its own as well, of the stack for example.
    const reason = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    throw unreadable(`It is neither JSON nor YAML: ${reason.slice(0, 300)}`, FIX, error);
  }
}

/** Whole numbers that are longer than a number here stay the text that they are. */
const WHOLE = defineScalarTag<number | string>(intCoreTag.tagName, {
  implicit: true,
  implicitFirstChars: intCoreTag.implicitFirstChars,
  resolve(source, isExplicit, tagName) {
    const value = intCoreTag.resolve(source, isExplicit, tagName);
    return typeof value === "number" && !Number.isSafeInteger(value) ? source : value;
  },
  identify: () => false,
});
const YAML = CORE_SCHEMA.withTags(WHOLE, mergeTag);

/** Iterative: the value may be deeper than the stack. What YAML has and JSON has not becomes null. */
function checkSize(root: JsonObject): void {
  const open: { value: Json; depth: number }[] = [{ value: root, depth: 0 }];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth > DEEPEST) throw unreadable(`The document is nested more than ${DEEPEST} deep`, "Flatten it.");
    // cast: a list has its indexes as keys
    const holder = value as JsonObject;
    for (const [key, child] of Object.entries(holder)) {
      count += 1;
      if (typeof child === "number" ? !Number.isFinite(child) : child === undefined) holder[key] = null;
      else if (typeof child === "object" && child !== null) open.push({ value: child, depth: depth + 1 });
    }
    if (count > MOST_VALUES) throw unreadable("The document has more values than OVEN reads", "Give a part of it.");
  }
}
