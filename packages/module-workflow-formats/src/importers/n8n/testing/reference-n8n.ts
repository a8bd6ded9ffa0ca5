import type { Json, JsonObject } from "@oven/contract";
import { Ambiguous } from "../../../importing/testing/compare-runs.ts";
import type { RunResult } from "../../../importing/testing/run-imported.ts";
import { mergeItems } from "./reference-merge.ts";
import { filledIn, holds, type Item, type Read } from "./reference-values.ts";

interface Arrival {
  name: string;
  item: Item;
  input: number;
  /** What comes, where it is a list that runs into a Merge. */
  list?: readonly Item[];
}

interface Link {
  node: string;
  index: number;
}

class Stopped extends Error {}

/**
 * What n8n documents for workflows whose nodes get one item each: branches one after the other, a node as soon as its data is there, a
 * Merge once all of its inputs have come or nothing else is left to do. It knows the types of nodes that the generator of runs makes.
 */
export function runN8n(document: JsonObject, input: Item): RunResult {
  return new Run(document).start(input);
}

class Run {
  readonly #nodes: ReadonlyMap<string, JsonObject>;
  readonly #connections: ReadonlyMap<string, { main: Link[][] }>;
  readonly #stack: Arrival[] = [];
  /** What has come to each Merge, by input. */
  readonly #waiting = new Map<string, Map<number, Item>>();
  /** The same for each Merge that takes lists. */
  readonly #lists = new Map<string, Map<number, readonly Item[]>>();
  /** The last item that each node handed on. */
  readonly #handedOn = new Map<string, Item>();
  /** What is left of the list of each loop. */
  readonly #left = new Map<string, Item[]>();
  readonly #steps = new Map<string, Json[]>();
  #answer: Json | undefined;
  /** What the node that ran last has handed on; undefined: that is put together from several nodes. */
  #last: Json | undefined;
  /** Items that one node made as a whole. */
  readonly #whole = new WeakSet<Item>();

  constructor({ nodes, connections }: JsonObject) {
    this.#nodes = new Map((nodes as JsonObject[]).map((node) => [String(node.name), node])); // cast: generated
    const links = connections as unknown as Record<string, { main: Link[][] }>; // cast: generated
    this.#connections = new Map(Object.entries(links));
  }

  start(input: Item): RunResult {
    const [first] = [...this.#nodes.keys()];
    this.#whole.add(input);
    this.#goOn(first ?? "", 0, input);
    try {
      for (;;) {
        const next = this.#stack.pop() ?? this.#waited();
        if (next === undefined) return { status: "completed", output: this.#result(), steps: this.#steps };
        this.#run(next);
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return { status: "failed", error: error.message, output: null, steps: this.#steps };
    }
  }

  /** What a node answers that responds; else what the last node hands on, where one way was gone. */
  #result(): Json | undefined {
    const types = [...this.#nodes.values()].map(({ type }) => type);
    if (types.includes("n8n-nodes-base.respondToWebhook")) return this.#answer ?? null;
    const hasForks = [...this.#connections.values()].some(({ main }) => main.some((links) => links.length > 1));
    return hasForks ? undefined : this.#last;
  }

  #inputsOf(name: string): number {
    const links = [...this.#connections.values()].flatMap(({ main }) => main.flat());
    return links.filter(({ node }) => node === name).length;
  }

  /** A Merge that has not got everything, when nothing else is left. */
  #waited(): Arrival | undefined {
    const [list] = this.#lists.keys();
    if (list !== undefined) {
      this.#mergeLists(list);
      return this.#stack.pop() ?? this.#waited();
    }
    const [name, arrived] = [...this.#waiting][0] ?? [];
    if (name === undefined || arrived === undefined) return undefined;
    this.#waiting.delete(name);
    const parameters = this.#nodes.get(name)?.parameters as JsonObject; // cast: generated
    if (parameters.mode !== "append") throw new Ambiguous("a Merge lacks an input");
    const [item] = arrived.values();
    this.#goOn(name, 0, item ?? {});
    return this.#stack.pop() ?? this.#waited();
  }

  #goOn(name: string, output: number, item: Item): void {
    this.#handedOn.set(name, item);
    const links = this.#connections.get(name)?.main[output] ?? [];
    // The first one is gone on with first.
    for (const { node, index } of links.toReversed()) this.#stack.push({ name: node, item, input: index });
  }

  /** Whether a list comes to a Merge, or it does what has to be computed. */
  #takesLists(name: string): boolean {
    const before = [...this.#connections].flatMap(([from, { main }]) =>
      main.flat().some(({ node }) => node === name) ? [from] : [],
    );
    const typeOf = (one: string) => String(this.#nodes.get(one)?.type);
    const { parameters } = this.#nodes.get(name) as { parameters: JsonObject }; // cast: generated
    if (
      /Key|Fields$/.test(String(parameters.mode)) ||
      /Fields$/.test(String(parameters.combineBy ?? parameters.combinationMode))
    )
      return true;
    if (/addSuffix/.test(JSON.stringify(parameters))) return true;
    return before.some(
      (one) => typeOf(one).endsWith(".splitOut") || (typeOf(one).endsWith(".set") && this.#takesLists(one)),
    );
  }

  #arrives(name: string, input: number, list: readonly Item[]): void {
    const arrived = this.#lists.get(name) ?? new Map<number, readonly Item[]>();
    this.#lists.set(name, arrived.set(input, list));
    if (arrived.size === 2) this.#mergeLists(name);
  }

  #mergeLists(name: string): void {
    const arrived = this.#lists.get(name);
    this.#lists.delete(name);
    const { parameters, typeVersion } = this.#nodes.get(name) as { parameters: JsonObject; typeVersion: number }; // cast: generated
    const sides = [0, 1].map((side) => [...(arrived?.get(side) ?? [])]);
    const made = mergeItems(parameters, typeVersion, sides) ?? [];
    this.#took(name, { result: made, logs: [] });
    // What follows runs for each of them, the first one first.
    for (const item of made.toReversed()) this.#goOn(name, 0, item);
  }

  /** A list on its way to a Merge. */
  #runList(name: string, input: number, list: readonly Item[]): void {
    const { type, parameters } = this.#nodes.get(name) as { type: string; parameters: JsonObject }; // cast: generated
    if (type === "n8n-nodes-base.merge") {
      this.#arrives(name, input, list);
      return;
    }
    if (type !== "n8n-nodes-base.set") throw new Error(`the reference takes no list to ${type}`);
    const made = list.map((item) =>
      this.#made(name, parameters, item, (from) => (from === undefined ? item : this.#handedOn.get(from))),
    );
    this.#handOnList(name, made);
  }

  #handOnList(name: string, list: readonly Item[]): void {
    for (const { node, index } of this.#connections.get(name)?.main[0] ?? [])
      if (list.length > 0) this.#stack.push({ name: node, item: {}, input: index, list });
  }

  #run({ name, item, input, list }: Arrival): void {
    if (list !== undefined) {
      this.#runList(name, input, list);
      return;
    }
    const { type, parameters } = this.#nodes.get(name) as { type: string; parameters: JsonObject }; // cast: generated
    // Where several lead to one node, what it hands on is not read as a whole.
    if (this.#inputsOf(name) > 1) this.#whole.delete(item);
    const isPassed = type === "n8n-nodes-base.noOp" && this.#whole.has(item);
    this.#last = isPassed ? item : undefined;
    const read: Read = (from) => (from === undefined ? item : this.#handedOn.get(from));
    switch (type.replace("n8n-nodes-base.", "")) {
      case "noOp":
        this.#goOn(name, 0, item);
        return;
      case "set":
        this.#set(name, parameters, item, read);
        return;
      case "if":
        this.#goOn(name, holds(parameters.conditions, read) ? 0 : 1, item);
        return;
      case "filter":
        if (holds(parameters.conditions, read)) this.#goOn(name, 0, item);
        return;
      case "switch": {
        const { values } = parameters.rules as { values: JsonObject[] }; // cast: generated
        const found = values.findIndex(({ conditions }) => holds(conditions, read));
        const { fallbackOutput } = parameters.options as JsonObject; // cast: generated
        if (found >= 0) this.#goOn(name, found, item);
        else if (fallbackOutput === "extra") this.#goOn(name, values.length, item);
        else if (typeof fallbackOutput === "number") this.#goOn(name, fallbackOutput, item);
        return;
      }
      case "merge":
        if (this.#takesLists(name)) this.#arrives(name, input, [item]);
        else this.#merge(name, parameters, item, input);
        return;
      case "stopAndError": {
        this.#took(name, null);
        throw new Stopped(String(filledIn(parameters.errorMessage ?? "", read)));
      }
      case "respondToWebhook":
        this.#respond(name, parameters, item, read);
        return;
      case "splitOut":
        this.#split(name, parameters, item);
        return;
      case "splitInBatches":
        this.#nextRound(name);
        return;
      default:
        throw new Error(`the reference has no ${type}`);
    }
  }

  #took(name: string, output: Json): void {
    this.#steps.set(name, [...(this.#steps.get(name) ?? []), output]);
  }

  #set(name: string, parameters: JsonObject, item: Item, read: Read): void {
    const made = this.#made(name, parameters, item, read);
    if (parameters.includeOtherFields !== true) {
      this.#last = made;
      this.#whole.add(made);
    }
    this.#goOn(name, 0, made);
  }

  /** What a Set makes of an item. */
  #made(name: string, parameters: JsonObject, item: Item, read: Read): Item {
    const { assignments } = parameters.assignments as { assignments: JsonObject[] }; // cast: generated
    const own: Item = {};
    for (const { name: field, type, value } of assignments)
      own[String(field)] = toType(filledIn(value ?? null, read), String(type));
    this.#took(name, own);
    const { includeOtherFields, include = "all", includeFields, excludeFields } = parameters;
    const kept = Object.entries(item).filter(([key]) => {
      if (includeOtherFields !== true) return false;
      if (include === "selected") return String(includeFields).split(",").includes(key);
      return include !== "except" || !String(excludeFields).split(",").includes(key);
    });
    return { ...Object.fromEntries(kept), ...own };
  }

  #merge(name: string, parameters: JsonObject, item: Item, input: number): void {
    const arrived = this.#waiting.get(name) ?? new Map<number, Item>();
    if (arrived.has(input)) throw new Ambiguous("one input of a Merge gets several items");
    this.#waiting.set(name, arrived.set(input, item));
    if (arrived.size < 2) return;
    this.#waiting.delete(name);
    const [first = {}, second = {}] = [arrived.get(0), arrived.get(1)];
    if (parameters.mode === "append") throw new Ambiguous("a Merge hands on two items");
    const chosen = parameters.useDataOfInput === 2 ? second : first;
    this.#goOn(name, 0, parameters.mode === "chooseBranch" ? chosen : { ...first, ...second });
  }

  #respond(name: string, parameters: JsonObject, item: Item, read: Read): void {
    const { respondWith, responseBody, options = {} } = parameters;
    const { responseCode = 200 } = options as JsonObject; // cast: generated
    const body =
      respondWith === "text" ? String(filledIn(responseBody ?? "", read)) : respondWith === "noData" ? "" : item;
    const answer = { status: responseCode, headers: {}, body };
    this.#took(name, answer);
    // The one that responds first is what the caller sees.
    if (this.#answer !== undefined) throw new Ambiguous("two nodes respond");
    this.#answer = answer;
    this.#goOn(name, 0, item);
  }

  #split(name: string, parameters: JsonObject, item: Item): void {
    const list = item[String(parameters.fieldToSplitOut)] as Item[]; // cast: generated
    this.#took(name, { result: list, logs: [] });
    const [{ node = "" } = {}] = this.#connections.get(name)?.main[0] ?? [];
    if (!String(this.#nodes.get(node)?.type).endsWith(".splitInBatches")) {
      this.#handOnList(name, list);
      return;
    }
    this.#left.set(node, [...list]);
    if (list.length > 0) this.#stack.push({ name: node, item, input: 0 });
  }

  #nextRound(name: string): void {
    const left = this.#left.get(name) ?? [];
    const next = left.shift();
    if (next !== undefined) this.#goOn(name, 1, next);
    else if (this.#left.delete(name)) this.#goOn(name, 0, {});
  }
}

/** A value in the type of its field. */
function toType(value: Json, type: string): Json {
  if (value === null) return null;
  switch (type) {
    case "string":
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    case "number":
      return Number(value);
    case "boolean":
      return typeof value === "string" ? value.toLowerCase() === "true" || value === "1" : Boolean(value);
    default:
      if (typeof value !== "string") return value;
      if (!value.startsWith("[")) throw new Ambiguous("a text is no list");
      return JSON.parse(value);
  }
}
