import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { toPath } from "../../importing/literals.ts";
import { isTrigger, type N8nDocument, type N8nNode } from "./n8n-document.ts";
import { mergingOf } from "./n8n-merge.ts";
import { isErrorOutput } from "./n8n-outputs.ts";
import { fieldsOfSet } from "./n8n-set.ts";

type Segments = readonly (string | number)[];

/** Nodes whose items leave as they came. */
const PASSES_ON = new Set(["if", "switch", "filter", "noOp", "wait", "respondToWebhook", "langchain.textClassifier"]);
const ROOTS = new Set(["messages", "toolCalls", "toolResults", "trigger", "item", "index", "parent", "execution"]);

/** The item of a loop, before it is known who asks for it. */
const ITEM = /^\$\.(\w+)@item(.*)$/s;

/** Finds where the data of n8n's items stands in a run of ours. Each node is taken to run once, with one item. */
export class N8nData {
  readonly #document: N8nDocument;
  readonly #ids: ReadonlyMap<string, string>;
  /** The loop that a node lies in. */
  readonly #loopOf: ReadonlyMap<string, string>;
  /** Ways that part and meet again are asked about once, not once for each combination of them. */
  readonly #answers = new Map<string, string | undefined>();
  /** Loops that became placeholders: they have no item. */
  readonly #openLoops = new Set<string>();
  /** Requests whose answer is read as a text, and the step behind them that reads it so. */
  readonly texts = new Map<string, { id: string; mapping: JsonObject }>();
  readonly #take: (name: string) => string;

  /** @param take takes an id for a state */
  constructor(
    document: N8nDocument,
    ids: ReadonlyMap<string, string>,
    loopOf: ReadonlyMap<string, string>,
    take: (name: string) => string,
  ) {
    this.#take = take;
    this.#document = document;
    this.#ids = ids;
    this.#loopOf = loopOf;
  }

  /** A loop became a placeholder. */
  leaveOpen(loop: string): void {
    this.#openLoops.add(loop);
    this.#answers.clear();
  }

  /** Where a node finds what comes in, or what another node hands on; undefined: it cannot be said exactly. */
  pathFor(asker: string, from: string | undefined, segments: Segments): string | undefined {
    const path = from === undefined ? this.incoming(asker, segments) : this.of(from, segments);
    const ofItem = path === undefined ? null : ITEM.exec(path);
    if (ofItem === null) return path;
    // Inside of another loop `$.item` is that one's.
    return ofItem[1] === this.#ids.get(this.#loopOf.get(asker) ?? "") ? `$.item${ofItem[2]}` : undefined;
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
    const sources = this.#document.inputs(name).filter(({ from }) => this.#loopOf.get(from) !== name);
    const paths = sources.map(({ from, output }) => {
      const source = this.#document.nodes.get(from);
      return source !== undefined && isErrorOutput(source, output)
        ? this.#ofError(source, segments)
        : this.of(from, segments);
    });
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
  of(name: string, segments: Segments): string | undefined {
    const node = this.#document.nodes.get(name);
    if (node === undefined) return undefined;
    if (node.disabled) return this.incoming(name, segments);
    if (isTrigger(node)) return ofTrigger(node, segments);
    const root = `$.${this.#ids.get(name) ?? ""}_output`;
    const [key, ...rest] = segments;
    const { parameters } = node;
    // Where it goes on after an error, this may be the error.
    if (key === "error" && (node.spec.onError === "continueRegularOutput" || node.spec.continueOnFail === true))
      return undefined;
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
      case "splitInBatches":
        return this.#openLoops.has(name) ? undefined : toPath(`${this.#itemOf(name)}`, segments);
      case "splitOut": {
        // Only the loop behind it asks, for the list as a whole.
        const { fieldToSplitOut: field } = parameters;
        const isList = typeof field === "string" && !field.startsWith("=") && segments.length === 0;
        return isList ? this.incoming(name, field.split(".")) : undefined;
      }
      case "httpRequest":
        if (!hasFullResponse(parameters)) return this.#ofAnswer(node, root, segments);
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

  /** The item of a loop, in a form that says of which. */
  #itemOf(loop: string): string {
    return `$.${this.#ids.get(loop) ?? ""}@item`;
  }

  /** What an HTTP request hands on: JSON as it came, text in a field. */
  #ofAnswer(node: N8nNode, root: string, segments: Segments): string | undefined {
    const { format, field } = answerFormatOf(node);
    if (format === "file") return undefined;
    const isText = format === "text";
    if (!isText && (format === "json" || segments.length !== 1 || segments[0] !== field))
      return toPath(`${root}.body`, segments);
    if (isText && segments.length > 0 && (segments[0] !== field || segments.length > 1)) return undefined;
    const known = this.texts.get(node.name);
    const read = known ?? {
      id: this.#take(`${node.name} answer`),
      mapping: { [field]: isText ? `{{ ${root}.body }}` : { $cel: textOrField(root, field) } },
    };
    this.texts.set(node.name, read);
    return toPath(`$.${read.id}_output`, segments);
  }

  /** What the output of errors hands on. */
  #ofError({ name, type }: N8nNode, segments: Segments): string | undefined {
    const [key, ...rest] = segments;
    if (key === "error")
      return rest.length === 1 && rest[0] === "message" ? `$.${this.#ids.get(name) ?? ""}_error.message` : undefined;
    return type === "httpRequest" && key !== undefined ? this.incoming(name, segments) : undefined;
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
      return only === undefined || others.length > 0 ? undefined : this.of(only.from, segments);
    }
    const [key] = segments;
    if (merging.kind !== "position" || typeof key !== "string") return undefined;
    const owners = this.#document.inputs(name).filter(({ from }) => {
      const source = this.#document.nodes.get(from);
      return source?.type === "set" && fieldsOfSet(source)?.fields.has(key) === true;
    });
    const [only, ...others] = owners;
    return only === undefined || others.length > 0 ? undefined : this.of(only.from, segments);
  }
}

/** How the answer of a request is read, and the field that a text comes in. */
function answerFormatOf({ parameters, version }: N8nNode): { format: string; field: string } {
  const options = isObject(parameters.options) ? parameters.options : {};
  const given = isObject(options.response) && isObject(options.response.response) ? options.response.response : {};
  const { responseFormat = version < 3 ? "json" : "autodetect", outputPropertyName = "data" } = given;
  return { format: String(responseFormat), field: String(outputPropertyName) };
}

/** In CEL: the answer, if it is a text, else its field, which may be missing. */
function textOrField(root: string, field: string): string {
  const answer = `ctx${root.slice(1)}`;
  return `cel.bind(v, dyn(${answer}.body), ${answer}.encoding == "text" ? v : v[?${JSON.stringify(field)}].orValue(null))`;
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
