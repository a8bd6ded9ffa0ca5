import { isObject, type Json, type JsonObject } from "@oven/contract";
import { isPathText } from "@oven/contract/workflow";
import { getAt } from "./address.ts";
import { followPath, readPath } from "./paths.ts";
import { findState, type StatePlace } from "./states.ts";

/** What is known of nodes and of what a definition calls. Undefined: nothing. */
export interface TypeSource {
  /** JSON Schema of a node's output. */
  outputOf(src: string): JsonObject | undefined;
  /** JSON Schema of what a called workflow, agent or tool answers, or of the rows of a table, by the input of the node that calls it. */
  calledOutput?(called: CalledKind, input: JsonObject): JsonObject | undefined;
  /** An output that a state once had, such as the one that is pinned for test runs. */
  sampleOf?(stateId: string): Json | undefined;
}

/** What a step can call that says itself what it answers. */
export type CalledKind = "workflow" | "agent" | "tool" | "table";

/**
 * Beside a part of a node's output schema whose type only the step knows: where that type stands. An annotation of JSON Schema, which
 * validators pass over.
 *
 * - `{schema: "outputSchema"}`: the input of this name is the part's JSON Schema; with `by: "model"` a model is shown it, and answers by it
 * - `{shape: "mapping"}`: the part is what the expressions in the input of this name compute
 * - `{called: "workflow"}`: it is what the workflow, agent or tool that the step names answers; with `table` it is rows of the table
 * - `{sample: "body"}`: the part looks like that of this name in an output that the step once had
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

/** The part of a state that its output's type depends on. */
interface Step {
  id: string;
  input: JsonObject;
}

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

  #find({ id, state }: StatePlace): JsonObject {
    if (isObject(state.loop)) return LOOP;
    const src = getAt(state, ["invoke", "src"]);
    const schema = typeof src === "string" ? this.#source.outputOf(src) : undefined;
    if (schema === undefined) return {};
    const given = getAt(state, ["invoke", "input"]);
    const step: Step = { id, input: isObject(given) ? given : {} };
    const whole = this.#resolve(schema, step);
    if (!isObject(whole.properties)) return whole;
    const sure = Array.isArray(whole.required) ? whole.required : [];
    const asked = Object.entries(whole.properties).flatMap(([name, part]) =>
      this.#isPromised(part, step) ? [name] : [],
    );
    return {
      ...whole,
      properties: mapValues(whole.properties, (part) => (isObject(part) ? this.#resolve(part, step) : part)),
      // What a step asks for by a schema, or what its tool declares, is there once it has finished.
      required: [...new Set([...sure, ...asked])],
    };
  }

  /** Whether a part is there for sure because of the schema that the step gives for it, or the tool that it calls. */
  #isPromised(part: Json, step: Step): boolean {
    return waysOf(part).some(
      (way) =>
        (typeof way.schema === "string" && isObject(getAt(step.input, [way.schema]))) ||
        (way.called === "tool" && this.#follow(way, step) !== undefined),
    );
  }

  #resolve(part: JsonObject, step: Step): JsonObject {
    const { [TYPE_FROM]: _, ...declared } = part;
    for (const way of waysOf(part)) {
      const known = this.#follow(way, step);
      if (known !== undefined) return { ...declared, ...known };
    }
    return declared;
  }

  #follow({ schema, shape, called, sample }: JsonObject, { id, input }: Step): JsonObject | undefined {
    if (typeof schema === "string") {
      const given = getAt(input, [schema]);
      return isObject(given) ? given : undefined;
    }
    if (typeof shape === "string") {
      const value = getAt(input, [shape]);
      return value === undefined ? undefined : this.typeOf(value);
    }
    if (typeof sample === "string") {
      const value = getAt(this.#source.sampleOf?.(id), [sample]);
      return value === undefined ? undefined : withoutRequired(schemaOfValue(value));
    }
    return called === "workflow" || called === "agent" || called === "tool" || called === "table"
      ? this.#source.calledOutput?.(called, input)
      : undefined;
  }

  /** JSON Schema of what a value with expressions computes. */
  typeOf(value: Json): JsonObject {
    if (typeof value === "string") {
      if (!isPathText(value)) return { type: "string" };
      const path = readPath(value);
      if (path === null) return {};
      const own = this.at(path.keys);
      const { fallback } = path;
      return fallback === null || fallback === "value" ? own : inCommon(own, this.typeOf(fallback.path));
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

  /** JSON Schema of what a `forEach` loop takes one after the other; empty: nothing is known. */
  itemOf({ state }: StatePlace): JsonObject {
    const collection = getAt(state, ["loop", "collection"]);
    const { items } = collection === undefined ? {} : this.typeOf(collection);
    return isObject(items) ? items : {};
  }

  /** JSON Schema of what a path's keys lead to: `["trigger", "name"]`, `["fetch_output", "body"]`; empty: nothing is known. */
  at(keys: readonly (string | number)[]): JsonObject {
    return followPath(this.#rootType(keys), keys.slice(1)).schema ?? {};
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

function mapValues(object: JsonObject, map: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

/** Of an example: another answer may lack what this one has. */
function withoutRequired({ required: _, ...schema }: JsonObject): JsonObject {
  if (!isObject(schema.properties)) return schema;
  const properties = mapValues(schema.properties, (part) => (isObject(part) ? withoutRequired(part) : part));
  return { ...schema, properties };
}

/** What is true of a value that is of one type or of the other. */
function inCommon(one: JsonObject, other: JsonObject): JsonObject {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  return typeof one.type === "string" && one.type === other.type ? { type: one.type } : {};
}

/** JSON Schema of a value as it stands. */
export function schemaOfValue(value: Json | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  if (Array.isArray(value)) return { type: "array" };
  if (!isObject(value)) return { type: typeof value };
  return { type: "object", properties: mapValues(value, schemaOfValue), required: Object.keys(value) };
}
