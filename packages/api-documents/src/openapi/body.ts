import { isObject, type Json, type JsonObject, setOwn } from "@oven/contract";
import type { ApiBody, ApiField } from "@oven/contract/api";
import { objectAt } from "../references.ts";
import { fileSchema } from "../schema/file-schema.ts";
import { flattenObject } from "../schema/flatten-object.ts";
import { textOf } from "../schema/keywords.ts";
import type { ConvertedSchema } from "../schema/schema-library.ts";
import type { DocumentContext } from "./operation-source.ts";

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const STYLES = ["form", "spaceDelimited", "pipeDelimited", "deepObject"] as const;

/** One property of an object as a body, by its name there. */
export interface BodyProperty {
  name: string;
  schema: ConvertedSchema;
  required: boolean;
  /** What is sent where the input has no value. */
  fixed?: Json;
}

/** A body before its properties have their names in the input. */
export interface ReadBody {
  mediaType: string;
  kind: ApiBody["kind"];
  required: boolean;
  fields: Record<string, ApiField>;
  description: string;
  /** Of an object; null: the body is one value with `schema`. */
  properties: BodyProperty[] | null;
  schema: ConvertedSchema;
  /** Of a body that is one value: what is sent where the input has none. */
  fixed?: Json;
  notes: string[];
}

/** Reads the body of an operation's request. Undefined: it has none; a text: why it cannot be sent. */
export function readBody(given: Json | undefined, context: DocumentContext): ReadBody | string | undefined {
  if (given === undefined) return undefined;
  const body = objectAt(context.root, given);
  if (body === undefined) return "The body is described in another document, or nowhere";
  const content = isObject(body.content) ? body.content : {};
  const [mediaType, media] = choose(content);
  if (mediaType === undefined) return undefined;
  const kind = kindOf(mediaType);
  const required = body.required === true;
  const files = kind === "multipart";
  const convert = (schema: Json | undefined): ConvertedSchema => context.inputs.convert(schema, files);
  const shared = {
    mediaType: /^(?:\*|application)\/\*$|^$/.test(cleanType(mediaType)) ? "application/json" : cleanType(mediaType),
    kind,
    required,
    fields: fieldsOf(media, kind),
    description: textOf(body.description),
    notes: notesOf(content, mediaType),
  };
  if (kind === "text" || kind === "file") {
    const schema = kind === "file" ? fileSchema() : { type: "string" };
    return { ...shared, properties: null, schema: { schema, refs: new Set(), size: JSON.stringify(schema).length } };
  }
  const flat = flattenObject(media.schema, context.root);
  if (flat === undefined) {
    if (kind !== "json" && !takesObject(media.schema, context))
      return "A form needs an object of fields, which its schema is not";
    return { ...shared, properties: null, schema: convert(withExample(media)) };
  }
  // Many documents say which fields are needed and forget to say that the body is.
  const isNeeded =
    required ||
    Object.keys(flat.properties).some(
      (name) => flat.required.has(name) && isWritable(flat.properties[name] ?? {}, context),
    );
  const properties = Object.entries(flat.properties).flatMap(([name, schema]): BodyProperty[] =>
    isWritable(schema, context) ? [{ name, schema: convert(schema), required: flat.required.has(name) }] : [],
  );
  return { ...shared, required: isNeeded, properties, schema: convert({ type: "object" }) };
}

function isWritable(schema: Json, { root }: DocumentContext): boolean {
  return !(isObject(schema) && (schema.readOnly === true || objectAt(root, schema)?.readOnly === true));
}

function takesObject(schema: Json | undefined, { root }: DocumentContext): boolean {
  const found = objectAt(root, schema);
  return found === undefined || found.type === undefined || found.type === "object";
}

/** The kind of body that says most of its values and that most can be made of. */
function choose(content: JsonObject): [mediaType: string | undefined, media: JsonObject] {
  const named = Object.entries(content).map(([type, media]): [string, JsonObject] => [
    type,
    isObject(media) ? media : {},
  ]);
  const rank = ([type]: [string, JsonObject]): number => {
    const clean = cleanType(type);
    if (clean === "application/json") return 0;
    if (isJson(clean)) return 1;
    if (clean === "*/*") return 2;
    if (clean === MULTIPART) return 3;
    if (clean === FORM) return 4;
    return kindOf(type) === "text" ? 5 : 6;
  };
  const [best] = named.map((each) => ({ each, rank: rank(each) })).sort((one, other) => one.rank - other.rank);
  return best?.each ?? [undefined, {}];
}

/** Without parameters; what takes all is sent JSON. */
export function cleanType(mediaType: string): string {
  const [type = ""] = mediaType.split(";", 1);
  return type.trim().toLowerCase();
}

export function isJson(type: string): boolean {
  return type === "application/json" || type === "text/json" || /^application\/[\w.+-]+\+json$/.test(type);
}

function kindOf(mediaType: string): ApiBody["kind"] {
  const type = cleanType(mediaType);
  if (isJson(type) || type === "*/*" || type === "application/*" || type === "") return "json";
  if (type === FORM) return "form";
  if (type === MULTIPART) return "multipart";
  if (type.startsWith("text/") || /(?:[/+](?:xml|yaml|x-yaml|csv|graphql|javascript|sql))$/.test(type)) return "text";
  if (/ndjson|jsonl|json-seq|json-lines/.test(type)) return "text";
  return "file";
}

function fieldsOf(media: JsonObject, kind: ApiBody["kind"]): Record<string, ApiField> {
  const fields: Record<string, ApiField> = {};
  if ((kind !== "form" && kind !== "multipart") || !isObject(media.encoding)) return fields;
  for (const [name, encoding] of Object.entries(media.encoding)) {
    if (!isObject(encoding)) continue;
    const style = STYLES.find((each) => each === encoding.style);
    const isJsonField = typeof encoding.contentType === "string" && isJson(cleanType(encoding.contentType));
    if (style !== undefined)
      setOwn(fields, name, {
        style,
        explode: typeof encoding.explode === "boolean" ? encoding.explode : style === "form",
      });
    else if (isJsonField) setOwn(fields, name, { style: "json", explode: false });
  }
  return fields;
}

function notesOf(content: JsonObject, chosen: string): string[] {
  const others = Object.keys(content).filter((type) => type !== chosen);
  return others.length === 0
    ? []
    : [`The body is sent as ${chosen}; the API also takes ${others.slice(0, 5).join(", ")}`];
}

function withExample({ schema, example }: JsonObject): Json {
  if (!isObject(schema)) return {};
  return example === undefined || schema.$ref !== undefined || schema.example !== undefined
    ? schema
    : { ...schema, example };
}
