import { isObject, type Json, type JsonObject } from "@oven/contract";
import { followPath, indexStates, type OutputTypes, type StatePlace, variablesOf } from "@oven/scope";

/** What the engine, model steps and undoing steps put into a run by themselves. */
const OWN: ReadonlySet<string> = new Set([
  ...["trigger", "execution", "context", "item", "index", "parent", "event", "output", "undo"],
  ...["messages", "toolCalls", "toolResults", "toolArguments", "systemPrompt"],
]);

/** Which first keys of paths something in a definition writes: `$.order` is a variable, a state, or a key of the input or of an output. */
export class WrittenRoots {
  readonly #types: OutputTypes;
  readonly #states: readonly StatePlace[];
  readonly #names: ReadonlySet<string>;
  /** Keys may come that the definition does not say. */
  readonly #isOpen: boolean;

  constructor(document: JsonObject, types: OutputTypes) {
    this.#types = types;
    const { list, byId } = indexStates(document);
    this.#states = list.filter(({ state }) => state.type !== "final" && state.type !== "history");
    const { properties, additionalProperties } = asObject(document.payloadSchema);
    const loops = this.#states.map(({ state }) => asObject(state.loop));
    const variables = this.#states.flatMap(({ state }) => variableOf(state));
    this.#names = new Set([
      ...variablesOf(document),
      ...byId.keys(),
      ...Object.keys(asObject(properties)),
      ...loops.flatMap(({ itemVariable, indexVariable }) => [itemVariable, indexVariable].filter(isText)),
      ...variables.filter(isText),
    ]);
    this.#isOpen =
      !isObject(properties) ||
      additionalProperties === true ||
      isObject(additionalProperties) ||
      variables.some((name) => !isText(name) || name.includes("$") || name.includes("{{"));
  }

  /** Whether a run may have something under this name; a result or an error of a state is not asked about. */
  mayHave(root: string): boolean {
    if (this.#isOpen || OWN.has(root) || this.#names.has(root) || /_(output|error)$/.test(root)) return true;
    return this.#states.some((place) => hasOutput(place) && !lacks(this.#types.of(place), root));
  }
}

function hasOutput({ state }: StatePlace): boolean {
  return isObject(state.invoke) || isObject(state.loop);
}

/** An object whose keys are all known, and none has this name. */
function lacks(type: JsonObject, root: string): boolean {
  const { unknown } = followPath(type, [root]);
  return unknown !== undefined && unknown.open !== true;
}

/** The name of the variable that a step writes, if it does. */
function variableOf(state: JsonObject): Json[] {
  const { src, input } = asObject(state.invoke);
  return src === "core.setVariable" ? [asObject(input).name ?? null] : [];
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}
