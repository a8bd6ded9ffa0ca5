import { isObject, type Json, type JsonObject } from "@oven/contract";
import { isPathText } from "@oven/contract/workflow";
import { getAt } from "./address.ts";
import { followPath, readPath } from "./paths.ts";
import { findState, type StatePlace } from "./states.ts";

/** What is known of nodes and of what a definition calls. Undefined: nothing. */
export interface TypeSource {
  /** JSON Schema of a node's output. */
  outputOf(src: string): JsonObject | undefined;
  /** JSON Schema of what a called workflow or agent answers, by the input of the node that calls it. */
  calledOutput?(called: "workflow" | "agent", input: JsonObject): JsonObject | undefined;
}

/**
 * Beside a part of a node's output schema whose type only the step knows: where that type stands. An annotation of JSON Schema, which
 * validators pass over.
 *
 * - `{schema: "outputSchema"}`: the input of this name is the part's JSON Schema
 * - `{shape: "mapping"}`: the part is what the expressions in the input of this name compute
 * - `{called: "workflow"}`: it is what the workflow or agent that the step names answers
 *
 * Of several the first that the step has is taken.
 */
export const TYPE_FROM = "x-type-from";

const LOOP: JsonObject = {
  type: "object",
  properties: {
    items: { type: "array" },
    count: { type: "integer" },
    failed: { type: "integer" },
    truncated: { type: "boolean" },
  },
  required: ["items", "count", "failed", "truncated"],
};

/** The types of what the states of one definition answer, as far as they are known before a run. */
export class OutputTypes {
  readonly #document: JsonObject;
  readonly #source: TypeSource;
  readonly #found = new Map<string, JsonObject>();

  constructor(document: JsonObject, source: TypeSource) {
    this.#document = document;
    this.#source = source;
  }

  /** JSON Schema of a state's output; empty: nothing is known. */
  of(place: StatePlace): JsonObject {
    const known = this.#found.get(place.id);
    if (known !== undefined) return known;
    // Steps that hand on each other's output in a circle know nothing of it.
    this.#found.set(place.id, {});
    const type = this.#find(place);
    this.#found.set(place.id, type);
    return type;
  }

  #find({ state }: StatePlace): JsonObject {
    if (isObject(state.loop)) return LOOP;
    const src = getAt(state, ["invoke", "src"]);
    const schema = typeof src === "string" ? this.#source.outputOf(src) : undefined;
    if (schema === undefined) return {};
    const given = getAt(state, ["invoke", "input"]);
    const input = isObject(given) ? given : {};
    const whole = this.#resolve(schema, input);
    if (!isObject(whole.properties)) return whole;
    const sure = Array.isArray(whole.required) ? whole.required : [];
    const asked = Object.entries(whole.properties).flatMap(([name, part]) => (hasSchema(part, input) ? [name] : []));
    return {
      ...whole,
      properties: mapValues(whole.properties, (part) => (isObject(part) ? this.#resolve(part, input) : part)),
      // What a step asks for by a schema is there once it has finished.
      required: [...new Set([...sure, ...asked])],
    };
  }

  #resolve(part: JsonObject, input: JsonObject): JsonObject {
    const { [TYPE_FROM]: _, ...declared } = part;
    for (const way of waysOf(part)) {
      const known = this.#follow(way, input);
      if (known !== undefined) return { ...declared, ...known };
    }
    return declared;
  }

  #follow({ schema, shape, called }: JsonObject, input: JsonObject): JsonObject | undefined {
    if (typeof schema === "string") {
      const given = getAt(input, [schema]);
      return isObject(given) ? given : undefined;
    }
    if (typeof shape === "string") {
      const value = getAt(input, [shape]);
      return value === undefined ? undefined : this.typeOf(value);
    }
    return called === "workflow" || called === "agent" ? this.#source.calledOutput?.(called, input) : undefined;
  }

  /** JSON Schema of what a value with expressions computes. */
  typeOf(value: Json): JsonObject {
    if (typeof value === "string") {
      if (!isPathText(value)) return { type: "string" };
      const path = readPath(value);
      return path === null ? {} : (followPath(this.#rootType(path.keys), path.keys.slice(1)).schema ?? {});
    }
    if (!isObject(value) || Object.hasOwn(value, "$literal"))
      return schemaOfValue(isObject(value) ? value.$literal : value);
    if (Object.hasOwn(value, "$cel")) return {};
    return {
      type: "object",
      properties: mapValues(value, (child) => this.typeOf(child)),
      required: Object.keys(value),
    };
  }

  #rootType([root]: readonly (string | number)[]): JsonObject {
    const { payloadSchema, context } = this.#document;
    if (root === "trigger") return isObject(payloadSchema) ? payloadSchema : {};
    if (typeof root !== "string") return {};
    if (isObject(context) && Object.hasOwn(context, root)) return schemaOfValue(context[root]);
    const place = findState(this.#document, root.replace(/_output$/, ""));
    return place !== undefined && root.endsWith("_output") ? this.of(place) : {};
  }
}

function waysOf(part: Json | undefined): JsonObject[] {
  const from = isObject(part) ? part[TYPE_FROM] : undefined;
  return (Array.isArray(from) ? from : [from]).filter((way) => isObject(way));
}

/** Whether a step gives the schema of a part itself. */
function hasSchema(part: Json | undefined, input: JsonObject): boolean {
  return waysOf(part).some(({ schema }) => typeof schema === "string" && isObject(getAt(input, [schema])));
}

function mapValues(object: JsonObject, map: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

/** JSON Schema of a value as it stands. */
export function schemaOfValue(value: Json | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  if (Array.isArray(value)) return { type: "array" };
  if (!isObject(value)) return { type: typeof value };
  return { type: "object", properties: mapValues(value, schemaOfValue), required: Object.keys(value) };
}
