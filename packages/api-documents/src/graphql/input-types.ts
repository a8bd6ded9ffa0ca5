import { type Json, type JsonObject, setOwn } from "@oven/contract";
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";
import { textOf } from "../schema/keywords.ts";

const SCALARS: Readonly<Record<string, JsonObject>> = {
  Int: { type: "integer", minimum: -2_147_483_648, maximum: 2_147_483_647 },
  Float: { type: "number" },
  String: { type: "string" },
  Boolean: { type: "boolean" },
  ID: { type: ["string", "integer"] },
};
const DEFINITIONS = "#/components/schemas/";

/** The input types of a schema as JSON Schemas, where the reader of OpenAPI looks for definitions. */
export function toDefinitions(schema: GraphQLSchema): JsonObject {
  const schemas: JsonObject = {};
  for (const type of Object.values(schema.getTypeMap()))
    if (isInputObjectType(type)) setOwn(schemas, type.name, toObject(type));
  return { components: { schemas } };
}

/** The arguments of a field as one object. */
export function toArguments(args: readonly GraphQLArgument[]): JsonObject {
  const properties: JsonObject = {};
  for (const arg of args) setOwn(properties, arg.name, toProperty(arg));
  const required = args.filter(isRequiredArgument).map(({ name }) => name);
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
}

/** A scalar or an enum. Of scalars that an API defines itself nothing is known but their words. */
export function toLeaf(type: GraphQLLeafType): JsonObject {
  if (isEnumType(type)) return { type: "string", enum: type.getValues().map(({ name }) => name) };
  const known = Object.hasOwn(SCALARS, type.name) ? SCALARS[type.name] : undefined;
  const description = textOf(type.description);
  return known ?? { description: description === "" ? type.name : `${type.name}: ${description}` };
}

function toObject(type: GraphQLInputObjectType): JsonObject {
  const fields = Object.values(type.getFields());
  const properties: JsonObject = {};
  for (const field of fields) setOwn(properties, field.name, toProperty(field));
  const required = fields.filter(isRequiredInputField).map(({ name }) => name);
  const description = textOf(type.description);
  return {
    type: "object",
    ...(description === "" ? {} : { description }),
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(type.isOneOf ? { minProperties: 1, maxProperties: 1 } : {}),
    additionalProperties: false,
  };
}

function toProperty({ type, description, deprecationReason }: GraphQLArgument | GraphQLInputField): Json {
  const schema = toSchema(type);
  const text = textOf(description);
  return {
    ...(text === "" ? {} : { description: text }),
    ...schema,
    ...(typeof deprecationReason === "string" ? { deprecated: true } : {}),
  };
}

function toSchema(type: GraphQLInputType): JsonObject {
  if (isNonNullType(type)) return toPresent(type.ofType);
  const present = toPresent(type);
  return typeof present.type === "string" && present.enum === undefined
    ? { ...present, type: [present.type, "null"] }
    : { anyOf: [present, { type: "null" }] };
}

function toPresent(type: GraphQLInputType): JsonObject {
  if (isNonNullType(type)) return toPresent(type.ofType);
  if (isListType(type)) return { type: "array", items: toSchema(type.ofType) };
  return isInputObjectType(type) ? { $ref: `${DEFINITIONS}${type.name}` } : toLeaf(type);
}
