import { type JsonObject, setOwn } from "@oven/contract";
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { toLeaf } from "./input-types.ts";

/** Objects inside of each other. `edges` and `node` of lists with pages count as one. */
const DEEPEST = 3;
const MOST_FIELDS = 150;
const MOST_KINDS = 6;

/** What a query asks for of a type, and the schema of the answer. */
export interface Selection {
  /** In braces; empty for a scalar. */
  text: string;
  schema: JsonObject;
  /** Something that can be asked for was left out. */
  isCut: boolean;
}

/** What is left to be asked for. */
interface Budget {
  fields: number;
  isCut: boolean;
}

/**
 * Asks for the scalars of a type, and for those of the objects in it to some depth. Fields that need arguments are left out: a fixed query has
 * none to give.
 */
export function selectFields(type: GraphQLOutputType, schema: GraphQLSchema): Selection {
  const budget: Budget = { fields: MOST_FIELDS, isCut: false };
  const selected = select(type, schema, DEEPEST, budget);
  return { text: selected?.text ?? "{ __typename }", schema: selected?.schema ?? {}, isCut: budget.isCut };
}

type Part = Pick<Selection, "text" | "schema">;

/** Undefined: nothing in it can be asked for. */
function select(type: GraphQLOutputType, schema: GraphQLSchema, depth: number, budget: Budget): Part | undefined {
  if (isNonNullType(type)) return select(type.ofType, schema, depth, budget);
  if (isListType(type)) {
    const item = select(type.ofType, schema, depth, budget);
    return item === undefined ? undefined : { text: item.text, schema: orNull({ type: "array", items: item.schema }) };
  }
  if (isLeafType(type)) return { text: "", schema: orNull(toLeaf(type)) };
  const found = isAbstractType(type)
    ? selectKinds(schema.getPossibleTypes(type), depth, budget)
    : isObjectType(type)
      ? selectObject(type, schema, depth, budget)
      : undefined;
  return found === undefined ? undefined : { text: `{ ${found.text} }`, schema: orNull(found.schema) };
}

function orNull(schema: JsonObject): JsonObject {
  if (schema.type === undefined) return schema;
  if (schema.enum !== undefined) return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [...(Array.isArray(schema.type) ? schema.type : [schema.type]), "null"] };
}

function selectObject(type: GraphQLObjectType, schema: GraphQLSchema, depth: number, budget: Budget): Part | undefined {
  const fields = Object.values(type.getFields()).filter((field) => !field.args.some(isRequiredArgument));
  const texts: string[] = [];
  const properties: JsonObject = {};
  // Scalars first: they are what most questions are about.
  for (const field of [...fields.filter(isScalar), ...fields.filter((each) => !isScalar(each))]) {
    const found = selectField(field, type, schema, depth, budget);
    if (found === undefined) continue;
    texts.push(found.text === "" ? field.name : `${field.name} ${found.text}`);
    setOwn(properties, field.name, found.schema);
  }
  return texts.length === 0 ? undefined : { text: texts.join(" "), schema: { type: "object", properties } };
}

function selectField(
  field: GraphQLField<unknown, unknown>,
  of: GraphQLNamedType,
  schema: GraphQLSchema,
  depth: number,
  budget: Budget,
): Part | undefined {
  const isPage = /Connection$/.test(of.name) || /Edge$/.test(of.name);
  const below =
    isPage && (field.name === "edges" || field.name === "node" || field.name === "nodes") ? depth : depth - 1;
  if (budget.fields <= 0 || (!isScalar(field) && below <= 0) || typeof field.deprecationReason === "string") {
    budget.isCut = true;
    return undefined;
  }
  // `edges` and `nodes` of a page hold the same.
  if (isPage && field.name === "edges" && isObjectType(of) && of.getFields().nodes !== undefined) return undefined;
  budget.fields -= 1;
  return select(field.type, schema, below, budget);
}

function isScalar({ type }: GraphQLField<unknown, unknown>): boolean {
  let inner = type;
  while (isNonNullType(inner) || isListType(inner)) inner = inner.ofType;
  return isLeafType(inner);
}

/** Each kind by a fragment. The fields of two kinds may differ in their types, so that none is asked for of the whole. */
function selectKinds(kinds: readonly GraphQLObjectType[], depth: number, budget: Budget): Part | undefined {
  if (kinds.length > MOST_KINDS) budget.isCut = true;
  const texts = kinds.slice(0, MOST_KINDS).flatMap((kind) => {
    const leaves = Object.values(kind.getFields()).filter(
      (field) => isScalar(field) && !field.args.some(isRequiredArgument),
    );
    const chosen = leaves.slice(0, Math.max(0, Math.min(10, budget.fields)));
    budget.fields -= chosen.length;
    // Two kinds may have fields of one name and different types, which one answer cannot hold.
    const text = chosen.map(({ name }) => `${kind.name}_${name}: ${name}`).join(" ");
    return text === "" ? [] : [`... on ${kind.name} { ${text} }`];
  });
  if (depth > 1 && kinds.some((kind) => Object.values(kind.getFields()).some((field) => !isScalar(field))))
    budget.isCut = true;
  return {
    text: ["__typename", ...texts].join(" "),
    schema: { type: "object", properties: { __typename: { type: "string" } } },
  };
}
