import type { Json } from "@oven/contract";
import { isCredential } from "@oven/contract/access";
import { z } from "zod";

/** What a schema describes, with null for every field that is marked as a credential. */
export function withoutCredentials(schema: z.ZodType, value: Json): Json {
  if (isCredential(schema)) return null;
  const inner = innerOf(schema);
  if (inner !== undefined) return withoutCredentials(inner, value);
  if (schema instanceof z.ZodUnion)
    // cast: zod types options by its core, whose schemas are these
    return (schema.options as z.ZodType[]).reduce((rest, option) => withoutCredentials(option, rest), value);
  if (Array.isArray(value)) {
    if (!(schema instanceof z.ZodArray)) return value;
    const element = schema.element as z.ZodType; // cast: as above
    return value.map((item) => withoutCredentials(element, item));
  }
  if (typeof value !== "object" || value === null) return value;
  if (schema instanceof z.ZodRecord) {
    const each = schema.valueType as z.ZodType; // cast: as above
    return mapValues(value, (_, child) => withoutCredentials(each, child));
  }
  if (!(schema instanceof z.ZodObject)) return value;
  const shape: Record<string, z.ZodType> = schema.shape;
  return mapValues(value, (key, child) => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    return field === undefined ? child : withoutCredentials(field, child);
  });
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  // cast: zod types inner schemas by its core
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return schema.unwrap() as z.ZodType;
  if (schema instanceof z.ZodLazy) return schema.unwrap() as z.ZodType;
  if (schema instanceof z.ZodPipe) return schema.out as z.ZodType;
  return undefined;
}

function mapValues(value: { [key: string]: Json }, map: (key: string, child: Json) => Json): Json {
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, map(key, child)]));
}
