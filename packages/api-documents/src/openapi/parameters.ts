import { isObject, type Json, type JsonObject } from "@oven/contract";
import type { ApiParameter } from "@oven/contract/api";
import { isCredentialHeader, isCredentialQuery, isHeaderName, isOfConnection } from "../credentials.ts";
import { objectAt } from "../references.ts";
import { textOf } from "../schema/keywords.ts";
import type { ConvertedSchema } from "../schema/schema-library.ts";
import type { DocumentContext, OperationSource } from "./operation-source.ts";

const IDEMPOTENCY = /^(?:x-)?(?:idempotency|idempotent)-?(?:key|id|token)$/i;
const STYLES = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
} as const;

/** A parameter, and the schema of its value. */
export interface ReadParameter {
  parameter: Omit<ApiParameter, "property">;
  schema: ConvertedSchema;
  description: string;
  required: boolean;
}

/** Parameters of an operation, and what stands among them that is something else. */
export interface ReadParameters {
  list: ReadParameter[];
  idempotencyHeader: string | null;
  /** Names of sign-ins that stand among the parameters without being declared. */
  signIns: string[];
  /** A body that older documents have among the parameters. */
  body: JsonObject | undefined;
  notes: string[];
  problem: string | null;
}

/** Reads the parameters of an operation and its path; those of the operation win. */
export function readParameters(
  { path, pathItem, operation }: OperationSource,
  context: DocumentContext,
): ReadParameters {
  const out: ReadParameters = {
    list: [],
    idempotencyHeader: null,
    signIns: [],
    body: undefined,
    notes: [],
    problem: null,
  };
  const given = [...listOf(pathItem.parameters), ...listOf(operation.parameters)];
  const byPlace = new Map<string, JsonObject>();
  for (const each of given) {
    const parameter = objectAt(context.root, each);
    if (parameter === undefined) out.problem ??= "A parameter is described in another document, or nowhere";
    else if (isObject(parameter.content) && typeof parameter.in !== "string") out.body = parameter;
    else byPlace.set(`${String(parameter.in)} ${String(parameter.name).toLowerCase()}`, parameter);
  }
  const inPath = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name));
  for (const parameter of byPlace.values()) readOne(parameter, inPath, context, out);
  for (const name of inPath) {
    if (out.list.some(({ parameter }) => parameter.in === "path" && parameter.name === name)) continue;
    out.list.push({
      parameter: { name, in: "path", style: "simple", explode: false, allowReserved: false, json: false },
      schema: context.inputs.convert({ type: "string" }),
      description: "",
      required: true,
    });
  }
  // What each call needs is what a reader looks for first.
  out.list.sort((one, other) => rankOf(one) - rankOf(other));
  return out;
}

function rankOf({ parameter, required }: ReadParameter): number {
  if (parameter.in === "path") return 0;
  return required ? 1 : 2;
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

function readOne(given: JsonObject, inPath: ReadonlySet<string>, context: DocumentContext, out: ReadParameters): void {
  const { name } = given;
  if (typeof name !== "string" || name === "") return;
  switch (given.in) {
    case "path":
      if (inPath.has(name)) out.list.push(toParameter(given, name, "path", context));
      return;
    case "query":
      if (isOfSignIn("query", name, context)) return;
      if (isCredentialQuery(name, textOf(given.description))) addCredential("query", name, context, out);
      else out.list.push(toParameter(given, name, "query", context));
      return;
    case "header":
      readHeader(given, name, context, out);
      return;
    case "cookie":
      if (!isOfSignIn("cookie", name, context))
        out.notes.push(`The cookie ${name} is left out: cookies are only sent by a sign-in`);
      return;
    default:
      return;
  }
}

function readHeader(given: JsonObject, name: string, context: DocumentContext, out: ReadParameters): void {
  if (isOfSignIn("header", name, context) || isOfConnection(name)) return;
  if (IDEMPOTENCY.test(name)) out.idempotencyHeader = name;
  else if (!isHeaderName(name))
    out.notes.push(`The header ${JSON.stringify(name.slice(0, 80))} is left out: it cannot be set`);
  else if (isCredentialHeader(name)) addCredential("header", name, context, out);
  else out.list.push(toParameter(given, name, "header", context));
}

/** A credential among the parameters: the way to sign in where the document declares none, else what that fills in its own way. */
function addCredential(place: "header" | "query", name: string, context: DocumentContext, out: ReadParameters): void {
  if (context.signIns.size === 0 || context.signIn.length === 0) addSignIn(place, name, context, out);
  else out.notes.push(`The parameter ${name} is left out: the sign-in takes its place`);
}

function isOfSignIn(place: string, name: string, { signIns }: DocumentContext): boolean {
  for (const signIn of signIns.values())
    if (signIn !== null && signIn.in === place && signIn.name.toLowerCase() === name.toLowerCase()) return true;
  return false;
}

function addSignIn(place: "header" | "query", name: string, context: DocumentContext, out: ReadParameters): void {
  const key = `${name}${context.signIns.has(name) ? ` (${place})` : ""}`;
  context.undeclared.set(key, { in: place, name });
  out.signIns.push(key);
}

function toParameter(
  given: JsonObject,
  name: string,
  place: "path" | "query" | "header",
  context: DocumentContext,
): ReadParameter {
  const [json] = isObject(given.content) ? Object.values(given.content) : [];
  const usual = place === "query" ? "form" : "simple";
  const style = STYLES[place].find((each) => each === given.style) ?? usual;
  const schema: Json = (isObject(json) ? json.schema : given.schema) ?? bareSchema(given);
  return {
    parameter: {
      name,
      in: place,
      style,
      explode: typeof given.explode === "boolean" ? given.explode : style === "form",
      allowReserved: place === "query" && given.allowReserved === true,
      json: isObject(json),
    },
    schema: context.inputs.convert(withExample(schema, given.example)),
    description: textOf(given.description),
    required: place === "path" || given.required === true,
  };
}

/** Some documents of version 3 describe a value as version 2 does: beside the parameter's name. */
function bareSchema({ type, format, items, enum: values, default: usual }: JsonObject): JsonObject {
  const schema: JsonObject = {};
  for (const [key, value] of Object.entries({ type, format, items, enum: values, default: usual }))
    if (value !== undefined) schema[key] = value;
  return schema;
}

function withExample(schema: Json, example: Json | undefined): Json {
  if (example === undefined || !isObject(schema) || schema.$ref !== undefined || schema.example !== undefined)
    return schema;
  return { ...schema, example };
}
