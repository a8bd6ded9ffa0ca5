import { isObject, type JsonObject } from "@oven/contract";
import type { ApiDocument, ApiOperation } from "@oven/contract/api";
import {
  buildClientSchema,
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type IntrospectionQuery,
  isNonNullType,
  isRequiredArgument,
} from "graphql";
import { nameOperation } from "../openapi/names.ts";
import { unreadable } from "../parse/unreadable.ts";
import { fitSchema } from "../schema/fit-schema.ts";
import { InPlaceReferences } from "../schema/in-place.ts";
import { textOf } from "../schema/keywords.ts";
import { SchemaLibrary } from "../schema/schema-library.ts";
import { toArguments, toDefinitions } from "./input-types.ts";
import { selectFields } from "./selection.ts";

const MOST_TOKENS = 1_000_000;
const MOST_OPERATIONS = 5_000;
const INPUT = 32_000;
const OUTPUT = 64_000;
const SDL = /^\s*(?:(?:"""|#|")|(?:extend\s+)?(?:schema|type|interface|union|enum|input|scalar|directive)\b)/;

/** Whether a text looks like a schema in GraphQL's own language. */
export function isSdl(text: string): boolean {
  return (
    SDL.test(text) &&
    /^\s*(?:extend\s+)?(?:type\s+\w|schema\s*[@{])/m.test(text) &&
    !/^\s*"?(?:openapi|swagger)"?\s*:/m.test(text)
  );
}

/** The answer of an introspection query in a document; undefined: it is none. */
export function introspectionIn(root: JsonObject): JsonObject | undefined {
  if (isObject(root.__schema)) return root;
  return isObject(root.data) && isObject(root.data.__schema) ? root.data : undefined;
}

/**
 * Reads a GraphQL schema: each field of its queries and mutations is an operation with a fixed query.
 * @param given the answer of an introspection query, or the schema as text
 * @param baseUrl where the API is
 * @throws OvenError API_DOCUMENT_UNREADABLE
 */
export function readGraphql(given: JsonObject | string, baseUrl: string | undefined): ApiDocument {
  const schema = toSchema(given);
  const roots: [GraphQLObjectType | null | undefined, "query" | "mutation"][] = [
    [schema.getQueryType(), "query"],
    [schema.getMutationType(), "mutation"],
  ];
  const context: GraphqlContext = {
    schema,
    inputs: libraryOf(toDefinitions(schema)),
    outputs: libraryOf({}),
    names: new Set(),
  };
  const operations = roots.flatMap(([type, kind]) =>
    Object.values(type?.getFields() ?? {}).map((field) => toOperation(field, kind, context)),
  );
  if (operations.length === 0)
    throw unreadable("The schema has neither queries nor mutations", "Give the schema of the API itself.");
  if (operations.length > MOST_OPERATIONS)
    throw unreadable("The schema has more queries and mutations than OVEN takes", "Give a part of the schema.");
  const subscription = schema.getSubscriptionType();
  return {
    kind: "graphql",
    formatVersion: "",
    title: baseUrl === undefined ? "" : (URL.parse(baseUrl)?.host ?? ""),
    version: "",
    description: textOf(schema.description, 4_000),
    servers: baseUrl === undefined ? [] : [{ url: baseUrl, description: "" }],
    signIns: [],
    operations,
    notes: subscription == null ? [] : ["Subscriptions are left out"],
  };
}

interface GraphqlContext {
  schema: GraphQLSchema;
  inputs: SchemaLibrary;
  outputs: SchemaLibrary;
  names: Set<string>;
}

function toSchema(given: JsonObject | string): GraphQLSchema {
  try {
    return typeof given === "string"
      ? buildSchema(given, { assumeValidSDL: false, noLocation: true, maxTokens: MOST_TOKENS })
      : // cast: the library checks what it is given
        buildClientSchema(given as unknown as IntrospectionQuery);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw unreadable(`It cannot be read as a schema of GraphQL: ${reason.slice(0, 300)}`, "Correct the schema.", error);
  }
}

function libraryOf(root: JsonObject): SchemaLibrary {
  return new SchemaLibrary(root, {
    direction: "input",
    isOld: false,
    inPlace: new InPlaceReferences(root),
    note: () => undefined,
  });
}

function toOperation(
  field: GraphQLField<unknown, unknown>,
  kind: "query" | "mutation",
  { schema, inputs, outputs, names }: GraphqlContext,
): ApiOperation {
  const { schema: inputSchema, isCut } = fitSchema(inputs.convert(toArguments(field.args)), inputs, INPUT);
  const selection = selectFields(field.type, schema);
  const isQuery = kind === "query";
  const output = outputs.convert({
    type: "object",
    properties: { data: { type: ["object", "null"], properties: { [field.name]: selection.schema } } },
  });
  return {
    name: nameOperation(field.name, `${kind} ${field.name}`, names),
    operationId: field.name,
    title: field.name,
    description: textOf(field.description, 4_000),
    tags: [kind],
    deprecated: typeof field.deprecationReason === "string",
    method: "POST",
    path: "",
    serverUrl: null,
    parameters: [],
    body: {
      property: null,
      properties: Object.fromEntries(field.args.map(({ name }) => [name, name])),
      mediaType: "application/json",
      kind: "json",
      required: true,
      fields: {},
    },
    accept: "application/json",
    inputSchema,
    defaults: {},
    outputSchema: fitSchema(output, outputs, OUTPUT).schema,
    effect: isQuery ? "idempotent" : "at-most-once",
    idempotencyHeader: null,
    reads: isQuery,
    signIn: [],
    query: queryOf(field, kind, selection.text),
    notes: [
      ...(isCut ? ["The input's schema is larger than OVEN shows: parts of it are left open"] : []),
      ...(selection.isCut
        ? ["The query asks for the plain fields to a depth of three, not for all that there is"]
        : []),
    ],
    problem: null,
  };
}

function queryOf({ name, args }: GraphQLField<unknown, unknown>, kind: string, selection: string): string {
  const variables = args.map((arg) => `$${arg.name}: ${variableType(arg)}`).join(", ");
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  const call = `${name}${given === "" ? "" : `(${given})`}${selection === "" ? "" : ` ${selection}`}`;
  return `${kind}${variables === "" ? "" : `(${variables})`} { ${call} }`;
}

/** An argument that has a value of its own need not be given, so its variable need not be either. */
function variableType(arg: GraphQLArgument): string {
  return String(isNonNullType(arg.type) && !isRequiredArgument(arg) ? arg.type.ofType : arg.type);
}
