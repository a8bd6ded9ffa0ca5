import { isObject, type Json, type JsonObject, setOwn } from "@oven/contract";
import type { ApiOperation, ApiParameter } from "@oven/contract/api";
import type { ConvertedSchema } from "../schema/schema-library.ts";
import type { ReadBody } from "./body.ts";
import { nameProperty } from "./names.ts";

/** Puts parameters and body into one flat object. */
export class InputBuilder {
  readonly parameters: ApiParameter[] = [];
  readonly defaults: JsonObject = {};
  readonly #properties: JsonObject = {};
  readonly #required: string[] = [];
  readonly #refs = new Set<string>();
  readonly #taken = new Set<string>();
  #bodyProperty: string | null = null;
  readonly #bodyProperties: Record<string, string> = {};

  addParameter(
    parameter: Omit<ApiParameter, "property">,
    { schema, description, required }: { schema: ConvertedSchema; description: string; required: boolean },
  ): void {
    const property = nameProperty(parameter.name, parameter.in, this.#taken);
    this.parameters.push({ ...parameter, property });
    this.#add(property, schema, description);
    if (!required) return;
    const fixed = fixedValue(schema.schema);
    if (fixed === undefined) this.#required.push(property);
    else setOwn(this.defaults, property, fixed);
  }

  addBody({ properties, schema, description, required, fixed }: ReadBody): void {
    if (properties === null) {
      this.#bodyProperty = nameProperty("body", "body", this.#taken);
      this.#add(this.#bodyProperty, schema, description);
      if (fixed !== undefined) setOwn(this.defaults, this.#bodyProperty, fixed);
      else if (required) this.#required.push(this.#bodyProperty);
      return;
    }
    for (const each of properties) {
      const property = nameProperty(each.name, "body", this.#taken);
      setOwn(this.#bodyProperties, property, each.name);
      this.#add(property, each.schema, "");
      if (each.fixed !== undefined) setOwn(this.defaults, property, each.fixed);
      else if (each.required && required) this.#required.push(property);
    }
  }

  body({ mediaType, kind, required, fields }: ReadBody): ApiOperation["body"] {
    return { property: this.#bodyProperty, properties: this.#bodyProperties, mediaType, kind, required, fields };
  }

  toSchema(): ConvertedSchema {
    const schema: JsonObject = {
      type: "object",
      properties: this.#properties,
      ...(this.#required.length === 0 ? {} : { required: this.#required }),
      additionalProperties: false,
    };
    return { schema, refs: this.#refs, size: JSON.stringify(schema).length };
  }

  #add(property: string, { schema, refs }: ConvertedSchema, description: string): void {
    const described =
      description === "" || !isObject(schema) || schema.description !== undefined ? schema : { description, ...schema };
    setOwn(this.#properties, property, described);
    for (const name of refs) this.#refs.add(name);
  }
}

/** The one value that a required parameter can have, or that its document proposes. */
function fixedValue(schema: Json): Json | undefined {
  if (!isObject(schema)) return undefined;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length === 1) return schema.enum[0];
  return schema.default;
}
