import { isObject, isOvenError, type Json, type JsonObject, readJson } from "@oven/contract";
import { cleanType, isJson, type ReadBody } from "../openapi/body.ts";
import { fileSchema } from "../schema/file-schema.ts";
import type { CurlCommand } from "./curl-command.ts";
import { bare, holdsSecret, inferSchema } from "./infer-schema.ts";

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const SECRET = "A secret in the body was left out: it is a value to give here";

/** The body of a command, with its values as what is sent where the input has none. Undefined: it sends none. */
export function readCurlBody(command: CurlCommand): ReadBody | undefined {
  const { data, isJson: isJsonOption, fields, isUpload, isGet } = command;
  const given = command.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  if (fields.length > 0) return readMultipart(command);
  if (isUpload) return value("file", given ?? "application/octet-stream", fileSchema());
  if (data.length === 0 || isGet) return undefined;
  const type = given === undefined ? (isJsonOption ? "application/json" : FORM) : cleanType(given);
  const text = isJsonOption ? data.join("") : data.join("&");
  const json = isJson(type) || given === undefined ? tryJson(text) : undefined;
  if (json !== undefined && (isJson(type) || isObject(json)))
    return readJsonBody(json, isJson(type) ? type : "application/json", command);
  if (type === FORM && /^[^=&\s]+=/.test(text)) return readForm(text, command);
  return value("text", type, { type: "string" }, text);
}

function value(kind: ReadBody["kind"], mediaType: string, schema: JsonObject, fixed?: Json): ReadBody {
  return {
    ...{ kind, mediaType, required: true, fields: {}, description: "", notes: [], properties: null },
    schema: bare(schema),
    ...(fixed === undefined ? {} : { fixed }),
  };
}

/** Undefined: it is no JSON. Numbers that are longer than a number here stay as text. */
function tryJson(text: string): Json | undefined {
  try {
    return readJson(text).value;
  } catch (error) {
    if (error instanceof SyntaxError || isOvenError(error)) return undefined;
    throw error;
  }
}

function readJsonBody(json: Json, mediaType: string, command: CurlCommand): ReadBody {
  if (!isObject(json) || Object.keys(json).length === 0) {
    if (!holdsSecret("", json)) return value("json", mediaType, inferSchema(json), json);
    command.notes.push(SECRET);
    return value("json", mediaType, inferSchema(json));
  }
  return { ...value("json", mediaType, { type: "object" }), properties: propertiesOf(Object.entries(json), command) };
}

function readForm(text: string, command: CurlCommand): ReadBody {
  const names = new Map<string, string[]>();
  for (const [name, each] of new URLSearchParams(text)) names.set(name, [...(names.get(name) ?? []), each]);
  const entries = [...names].map(([name, values]): [string, Json] => [
    name,
    values.length === 1 ? (values[0] ?? "") : values,
  ]);
  return { ...value("form", FORM, { type: "object" }), properties: propertiesOf(entries, command) };
}

function readMultipart(command: CurlCommand): ReadBody {
  const files = command.fields.filter((field) => field.value === null);
  const texts = command.fields.flatMap((field): [string, Json][] =>
    field.value === null ? [] : [[field.name, field.value]],
  );
  const properties = [
    ...propertiesOf(texts, command),
    ...files.map(({ name }) => ({ name, schema: bare(fileSchema()), required: true })),
  ];
  return { ...value("multipart", MULTIPART, { type: "object" }), properties };
}

function propertiesOf(entries: readonly [string, Json][], command: CurlCommand): NonNullable<ReadBody["properties"]> {
  return entries.map(([name, each]) => {
    const schema = inferSchema(each);
    if (isShellValue(each)) return { name, schema: bare(schema), required: true };
    if (holdsSecret(name, each)) {
      if (!command.notes.includes(SECRET)) command.notes.push(SECRET);
      return { name, schema: bare(schema), required: true };
    }
    return { name, schema: bare({ ...schema, default: each }), required: false, fixed: each };
  });
}

/** A text that a shell would have filled in, or that stands for one in documentation. */
export function isShellValue(given: Json): boolean {
  return (
    typeof given === "string" && /^(?:\$\w+|\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`|<[^<>]+>|\{\{?[^{}]+\}?\})$/.test(given)
  );
}
