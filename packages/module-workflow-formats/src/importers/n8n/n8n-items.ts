import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { toPath } from "../../importing/literals.ts";
import { isTrigger, type N8nDocument, type N8nNode } from "./n8n-document.ts";
import { hasNestedAnswer } from "./n8n-knowledge-answers.ts";
import { fieldOfMarkdown, outputOfMarkdown } from "./n8n-markdown-field.ts";
import { mergingOf } from "./n8n-merging.ts";
import { answersJson, openAiShape } from "./n8n-openai-answers.ts";
import { isErrorOutput } from "./n8n-outputs.ts";
import { parserOf } from "./n8n-parsers.ts";
import { answerFieldOf, hasFullResponse, type N8nData, PASSES_ON } from "./n8n-references.ts";
import type { Read, Segments } from "./n8n-script.ts";
import { fieldsOfSet, othersOfSet } from "./n8n-set.ts";

/** An item as layers of values: keys of a later one stand over those of an earlier one. */
type Layers = readonly Json[];

/** Finds whole items of n8n in a run of ours, where `N8nData` finds single values of them. */
export class N8nItems {
  readonly #document: N8nDocument;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #data: N8nData;
  readonly #known = new Map<string, Layers | undefined>();
  /** Nodes whose incoming item is being looked for, and those that were asked again meanwhile. */
  readonly #asking = new Set<string>();
  readonly #asked = new Set<string>();
  /** By nodes that items come to by several ways: what each node before them hands on. */
  readonly received = new Map<string, ReadonlyMap<string, Json>>();

  constructor(document: N8nDocument, ids: ReadonlyMap<string, string>, data: N8nData) {
    this.#document = document;
    this.#ids = ids;
    this.#data = data;
  }

  /** Forgets what was found: a loop became a placeholder since. */
  forget(): void {
    this.#known.clear();
    this.#asking.clear();
    this.#asked.clear();
    this.received.clear();
  }

  /**
   * The item that comes in, or that a node hands on; undefined: where it stands cannot be said.
   * @param reads what of it is needed: where the whole cannot be found, its parts may be
   */
  layersFor(asker: string, from: string | undefined, reads: readonly Read[]): Layers | undefined {
    if (from !== undefined && reads.some(({ which }) => which === "whether it ran"))
      return reads.every(({ which }) => which === "whether it ran") ? this.#ranOf(from) : undefined;
    const list = from === undefined ? undefined : this.#data.listOf(from);
    if (list !== undefined && reads.some(({ which }) => which !== "item"))
      return reads.every(({ which }) => which !== "item") ? [list] : undefined;
    const whole = from === undefined ? this.#incoming(asker) : this.#of(from);
    const isTextRead = reads.some(({ segments: [key] }) => key !== undefined && key === this.#textFieldOf(asker, from));
    if (whole !== undefined && !isTextRead) {
      const seen = whole.map((layer) => this.#seenFrom(asker, layer));
      return seen.includes(undefined) ? undefined : seen.filter((layer) => layer !== undefined);
    }
    const parts: JsonObject = {};
    for (const { segments, which } of reads.toSorted((a, b) => a.segments.length - b.segments.length)) {
      const path = segments.length === 0 ? undefined : this.#data.pathFor(asker, from, segments, which);
      if (path === undefined || !setIn(parts, segments, path)) return undefined;
    }
    return [parts];
  }

  /** What a node has handed on, or null where it did not run. */
  #ranOf(name: string): Layers | undefined {
    const node = this.#document.nodes.get(name);
    const hasOutput = node !== undefined && !isTrigger(node) && !PASSES_ON.has(node.type) && node.type !== "merge";
    return hasOutput && !node.disabled ? [`$.${this.#ids.get(name) ?? ""}_output | default(null)`] : undefined;
  }

  /** The field that a request puts an answer in which is a text. */
  #textFieldOf(asker: string, from: string | undefined, seen = new Set<string>()): string | undefined {
    if (from === undefined && seen.has(asker)) return undefined;
    seen.add(asker);
    const names = from === undefined ? this.#document.inputs(asker).map((input) => input.from) : [from];
    const [only, ...others] = names;
    const node = only === undefined || others.length > 0 ? undefined : this.#document.nodes.get(only);
    if (node === undefined) return undefined;
    if (PASSES_ON.has(node.type)) return this.#textFieldOf(node.name, undefined, seen);
    return node.type === "httpRequest" ? answerFieldOf(node) : undefined;
  }

  /** Where one value of an item stands that was stored on the way. */
  pathFor(asker: string, from: string | undefined, read: Omit<Read, "from">): string | undefined {
    const { segments } = read;
    const [only, ...others] = this.layersFor(asker, from, [{ from, ...read }]) ?? [];
    const isReceived = typeof only === "string" && others.length === 0 && /^\$\.\w+_received$/.test(only);
    return isReceived ? toPath(only, segments) : undefined;
  }

  /** What a node hands on, as another one sees it; undefined: where it stands cannot be said. */
  layersOf(asker: string, from: string): Layers | undefined {
    const seen = this.#of(from)?.map((layer) => this.#seenFrom(asker, layer));
    return seen === undefined || seen.includes(undefined) ? undefined : seen.filter((layer) => layer !== undefined);
  }

  /** What a node hands on, as it sees it itself. */
  handedOnBy(name: string): Layers | undefined {
    const seen = this.#of(name)?.map((layer) => this.#seenFrom(name, layer));
    return seen === undefined || seen.includes(undefined) ? undefined : seen.filter((layer) => layer !== undefined);
  }

  /** Paths of the item of a loop are those of the loop that the asker is in. */
  #seenFrom(asker: string, layer: Json): Json | undefined {
    if (Array.isArray(layer)) {
      const seen = layer.map((one) => this.#seenFrom(asker, one));
      return seen.includes(undefined) ? undefined : seen.filter((one) => one !== undefined);
    }
    if (typeof layer === "string" && layer.startsWith("$.")) {
      const id = /^\$\.(\w+)_received\b/.exec(layer)?.[1];
      const isThere = id === undefined || [...this.received.keys()].some((name) => this.#ids.get(name) === id);
      return isThere ? this.#data.seenFrom(asker, layer) : undefined;
    }
    if (!isObject(layer)) return layer;
    const result: JsonObject = {};
    for (const [key, value] of Object.entries(layer)) {
      const seen = this.#seenFrom(asker, value);
      if (seen === undefined) return undefined;
      setOwn(result, key, seen);
    }
    return result;
  }

  #incoming(name: string): Layers | undefined {
    const known = `> ${name}`;
    if (this.#known.has(known)) return this.#known.get(known);
    if (this.#asking.has(name)) {
      // Asked again on the way round a loop: it is what came in.
      this.#asked.add(name);
      return [this.receivedPath(name)];
    }
    this.#asking.add(name);
    const found = this.#document.inputs(name).filter(({ from }) => !this.#data.isInLoop(from, name));
    const layers = found.map(({ from, output }) => {
      const source = this.#document.nodes.get(from);
      return source !== undefined && isErrorOutput(source, output) ? undefined : this.#of(from);
    });
    const [first] = layers;
    const isSame = layers.every((other) => JSON.stringify(other) === JSON.stringify(first));
    const isAsked = this.#asked.has(name);
    const answer = isSame && !isAsked ? first : this.#receive(name, found, layers);
    this.#known.set(known, answer);
    return answer;
  }

  /** What comes in by several ways, one of them at a time, is stored on the way: each says what it hands on. */
  #receive(
    name: string,
    found: readonly { from: string }[],
    layers: readonly (Layers | undefined)[],
  ): Layers | undefined {
    const given = new Map<string, Json>();
    for (const [index, { from }] of found.entries()) {
      const [only, ...others] = layers[index] ?? [];
      const isLoop = this.#document.nodes.get(from)?.type === "splitInBatches" || this.#data.listOf(from) !== undefined;
      if (only === undefined || others.length > 0 || isLoop || !this.#data.areTogether(from, name)) return undefined;
      if (given.has(from) && JSON.stringify(given.get(from)) !== JSON.stringify(only)) return undefined;
      given.set(from, only);
    }
    if (this.#document.joinsWays(name)) return undefined;
    this.received.set(name, given);
    return [this.receivedPath(name)];
  }

  /** Where a node finds what came in, if that is stored. */
  receivedPath(name: string): string {
    return `$.${this.#ids.get(name) ?? ""}_received`;
  }

  #of(name: string): Layers | undefined {
    const node = this.#document.nodes.get(name);
    if (node === undefined) return undefined;
    if (node.disabled) return this.#incoming(name);
    if (isTrigger(node)) return ofTrigger(node);
    // Where it goes on after an error, this may be the error.
    if (node.spec.onError === "continueRegularOutput" || node.spec.continueOnFail === true) return undefined;
    if (node.type === "filter" && node.spec.alwaysOutputData === true) return undefined;
    if (PASSES_ON.has(node.type)) return this.#incoming(name);
    if (this.#data.listOf(name) !== undefined) return toLayers(this.#data.of(name, []));
    return this.#ofStep(node, `$.${this.#ids.get(name) ?? ""}_output`);
  }

  #ofStep(node: N8nNode, root: string): Layers | undefined {
    const { name, type, parameters } = node;
    switch (type) {
      case "set": {
        if (!othersOfSet(node).keepsOthers) return [root];
        const before = fieldsOfSet(node)?.keepsAll === true ? this.#incoming(name) : undefined;
        return before === undefined ? undefined : [...before, root];
      }
      case "markdown": {
        const before = this.#incoming(name);
        return before === undefined
          ? undefined
          : [...before, { [fieldOfMarkdown(node)]: `${root}.${outputOfMarkdown(node)}` }];
      }
      case "merge":
        return this.#ofMergeOnce(node, root);
      case "httpRequest":
        if (hasFullResponse(parameters))
          return [{ body: `${root}.body`, headers: `${root}.headers`, statusCode: `${root}.status` }];
        return toLayers(this.#data.of(name, []));
      case "langchain.agent":
        return [{ output: parserOf(node, this.#document) !== undefined ? `${root}.object` : `${root}.text` }];
      case "langchain.chainLlm":
        return [parserOf(node, this.#document) !== undefined ? { output: `${root}.object` } : { text: `${root}.text` }];
      case "langchain.chainRetrievalQa":
        return [{ response: hasNestedAnswer(node) ? { text: `${root}.answer` } : `${root}.answer` }];
      case "langchain.openAi":
      case "openAi": {
        const content = answersJson(node) ? `${root}.object` : `${root}.text`;
        const message = { role: "assistant", content };
        const shape = openAiShape(node);
        if (shape === "content") return [{ content }];
        if (shape === "message") return [{ index: 0, message, finish_reason: "stop" }];
        return shape === "choices"
          ? [{ choices: [{ index: 0, message }] }]
          : [{ output: [{ content: [{ text: content }] }] }];
      }
      case "langchain.informationExtractor":
        return [{ output: `${root}.object` }];
      default:
        return toLayers(this.#data.of(name, []));
    }
  }

  #ofMergeOnce(node: N8nNode, root: string): Layers | undefined {
    const known = `merged ${node.name}`;
    if (this.#known.has(known)) return this.#known.get(known);
    // One that leads to itself hands on what cannot be said.
    this.#known.set(known, undefined);
    const answer = this.#ofMerge(node, root);
    this.#known.set(known, answer);
    return answer;
  }

  #ofMerge(node: N8nNode, root: string): Layers | undefined {
    const merging = mergingOf(node);
    if (merging.kind === "computed" || this.#data.isList(node.name)) return [root];
    if (merging.kind === "append") return undefined;
    const inputs = this.#document.inputs(node.name);
    const chosen = merging.kind === "choose" ? inputs.filter(({ input }) => input === merging.input) : inputs;
    const numbers = new Set(chosen.map(({ input }) => input));
    if (numbers.size !== chosen.length || chosen.length === 0) return undefined;
    const direction = merging.kind === "position" && merging.prefersFirst ? -1 : 1;
    const sorted = chosen.toSorted((a, b) => (a.input - b.input) * direction);
    const layers = sorted.map(({ from }) => this.#of(from));
    return layers.includes(undefined) ? undefined : layers.flatMap((layer) => layer ?? []);
  }
}

const toLayers = (path: string | undefined): Layers | undefined => (path === undefined ? undefined : [path]);

function ofTrigger({ type }: N8nNode): Layers {
  const isChat = type === "langchain.chatTrigger" || type === "langchain.manualChatTrigger";
  return [isChat ? { chatInput: "$.trigger.message" } : "$.trigger"];
}

/** Puts a value at a place, objects on the way made; false: something else is there already, or the way leads into a list. */
function setIn(target: JsonObject, segments: Segments, value: Json): boolean {
  const keys = [...segments];
  const last = keys.pop();
  let at = target;
  for (const key of keys) {
    if (typeof key === "number") return false;
    const next = Object.hasOwn(at, key) ? at[key] : undefined;
    // A shorter read has all of it.
    if (typeof next === "string") return true;
    const inner = isObject(next) ? next : {};
    setOwn(at, key, inner);
    at = inner;
  }
  if (typeof last !== "string") return false;
  if (!Object.hasOwn(at, last)) setOwn(at, last, value);
  return true;
}
