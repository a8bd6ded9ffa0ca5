import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { toPath } from "../../importing/literals.ts";
import { isTrigger, type N8nDocument, type N8nNode } from "./n8n-document.ts";
import { mergingOf } from "./n8n-merge.ts";
import { fieldsOfSet } from "./n8n-set.ts";

type Segments = readonly (string | number)[];

/** Nodes whose items leave as they came. */
const PASSES_ON = new Set(["if", "switch", "filter", "noOp", "wait", "respondToWebhook", "langchain.textClassifier"]);
const ROOTS = new Set(["messages", "toolCalls", "toolResults", "trigger", "item", "index", "parent", "execution"]);

/** Finds where the data of n8n's items stands in a run of ours. Each node is taken to run once, with one item. */
export class N8nData {
  readonly #document: N8nDocument;
  readonly #ids: ReadonlyMap<string, string>;
  /** The loop that a node lies in. */
  readonly #loopOf: ReadonlyMap<string, string>;
  /** Ways that part and meet again are asked about once, not once for each combination of them. */
  readonly #answers = new Map<string, string | undefined>();

  constructor(document: N8nDocument, ids: ReadonlyMap<string, string>, loopOf: ReadonlyMap<string, string>) {
    this.#document = document;
    this.#ids = ids;
    this.#loopOf = loopOf;
  }

  /** What comes in from the left of a node; undefined: it cannot be said exactly. */
  incoming(name: string, segments: Segments): string | undefined {
    const question = JSON.stringify([name, segments]);
    if (this.#answers.has(question)) return this.#answers.get(question);
    // Asked again on the way round a loop: each of its nodes could be the one.
    this.#answers.set(question, undefined);
    const answer = this.#findIncoming(name, segments);
    this.#answers.set(question, answer);
    return answer;
  }

  #findIncoming(name: string, segments: Segments): string | undefined {
    const sources = [...new Set(this.#document.inputs(name).map(({ from }) => from))].filter(
      (from) => this.#loopOf.get(from) !== name,
    );
    const paths = sources.map((from) => this.of(from, segments, name));
    const [first] = paths;
    if (first === undefined || paths.includes(undefined)) return undefined;
    if (paths.every((path) => path === first)) return first;
    // The node that wrote the key last is the one that led here.
    const [key] = segments;
    if (typeof key !== "string" || ROOTS.has(key) || [...this.#ids.values()].some((id) => id === key)) return undefined;
    const isOwn = paths.every(
      (path) => /^\$\.(?:trigger|\w+_output)(.*)$/.exec(path ?? "")?.[1] === toPath("", segments),
    );
    return isOwn ? toPath("$", segments) : undefined;
  }

  /** What a node hands on, seen from another one. */
  of(name: string, segments: Segments, asker: string): string | undefined {
    const node = this.#document.nodes.get(name);
    if (node === undefined) return undefined;
    if (node.disabled) return this.incoming(name, segments);
    if (isTrigger(node)) return ofTrigger(node, segments);
    const root = `$.${this.#ids.get(name) ?? ""}_output`;
    const [key, ...rest] = segments;
    const { parameters } = node;
    // Nothing may have passed, and then its item is empty.
    if (node.type === "filter" && node.spec.alwaysOutputData === true) return undefined;
    if (PASSES_ON.has(node.type)) return this.incoming(name, segments);
    switch (node.type) {
      case "set": {
        const set = fieldsOfSet(node);
        if (typeof key === "string" && set?.fields.has(key)) return toPath(root, segments);
        if (set?.keepsOthers === true)
          return typeof key === "string" && set.keeps(key) ? this.incoming(name, segments) : undefined;
        return key === undefined || set === undefined ? toPath(root, segments) : undefined;
      }
      case "merge":
        return this.#ofMerge(node, segments);
      case "splitInBatches": {
        const isInside = this.#loopOf.get(asker) === name || this.#loopOf.get(this.#loopOf.get(asker) ?? "") === name;
        return isInside ? toPath("$.item", segments) : undefined;
      }
      case "splitOut": {
        // Only the loop behind it asks, for the list as a whole.
        const { fieldToSplitOut: field } = parameters;
        const isList = typeof field === "string" && !field.startsWith("=") && segments.length === 0;
        return isList ? this.incoming(name, field.split(".")) : undefined;
      }
      case "httpRequest":
        if (!hasFullResponse(parameters)) return toPath(`${root}.body`, segments);
        if (key === "body" || key === "headers") return toPath(`${root}.${key}`, rest);
        return key === "statusCode" && rest.length === 0 ? `${root}.status` : undefined;
      case "langchain.agent":
        if (key !== "output") return undefined;
        if (parameters.hasOutputParser === true) return toPath(`${root}.object`, rest);
        return rest.length === 0 ? `${root}.text` : undefined;
      case "langchain.chainLlm":
        if (parameters.hasOutputParser === true) return key === "output" ? toPath(`${root}.object`, rest) : undefined;
        return key === "text" && rest.length === 0 ? `${root}.text` : undefined;
      case "langchain.informationExtractor":
        return key === "output" ? toPath(`${root}.object`, rest) : undefined;
      case "executeWorkflow":
        return toPath(`${root}.output`, segments);
      default:
        return toPath(root, segments);
    }
  }

  /** The path of a key in the one input of a merge that certainly has it. */
  #ofMerge(node: N8nNode, segments: Segments): string | undefined {
    const { name } = node;
    const merging = mergingOf(node);
    // What stands in for it hands on what it did.
    if (merging.kind === "computed") return toPath(`$.${this.#ids.get(name) ?? ""}_output`, segments);
    if (merging.kind === "choose") {
      const chosen = this.#document.inputs(name).filter(({ input }) => input === merging.input);
      const [only, ...others] = chosen;
      return only === undefined || others.length > 0 ? undefined : this.of(only.from, segments, name);
    }
    const [key] = segments;
    if (merging.kind !== "position" || typeof key !== "string") return undefined;
    const owners = this.#document.inputs(name).filter(({ from }) => {
      const source = this.#document.nodes.get(from);
      return source?.type === "set" && fieldsOfSet(source)?.fields.has(key) === true;
    });
    const [only, ...others] = owners;
    return only === undefined || others.length > 0 ? undefined : this.of(only.from, segments, name);
  }
}

export function hasFullResponse({ options }: JsonObject): boolean {
  if (isObject(options) && options.fullResponse === true) return true;
  const response = isObject(options) && isObject(options.response) ? options.response.response : undefined;
  return isObject(response) && response.fullResponse === true;
}

function ofTrigger({ type }: N8nNode, segments: Segments): string | undefined {
  const [key, ...rest] = segments;
  switch (type) {
    case "webhook":
      return key === "body" || key === "query" || key === "headers" ? toPath("$.trigger", segments) : undefined;
    case "langchain.chatTrigger":
    case "langchain.manualChatTrigger":
      return key === "chatInput" && rest.length === 0 ? "$.trigger.message" : undefined;
    case "manualTrigger":
    case "formTrigger":
    case "executeWorkflowTrigger":
    case "start":
      return toPath("$.trigger", segments);
    default:
      return undefined;
  }
}
