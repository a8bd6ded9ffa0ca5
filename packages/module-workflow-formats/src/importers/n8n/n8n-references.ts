import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { toPath } from "../../importing/literals.ts";
import { isTrigger, type N8nDocument, type N8nNode } from "./n8n-document.ts";
import { extractsHtml } from "./n8n-html-kind.ts";
import { hasNestedAnswer } from "./n8n-knowledge-answers.ts";
import type { ListRegion } from "./n8n-lists.ts";
import { fieldOfMarkdown, outputOfMarkdown } from "./n8n-markdown-field.ts";
import { mergingOf } from "./n8n-merging.ts";
import { ofOpenAi } from "./n8n-openai-answers.ts";
import { isErrorOutput } from "./n8n-outputs.ts";
import { parserOf } from "./n8n-parsers.ts";
import type { Read } from "./n8n-script.ts";
import { fieldsOfSet } from "./n8n-set.ts";

type Segments = readonly (string | number)[];
type Lists = ReadonlyMap<string, ListRegion | string>;

/** Nodes whose items leave as they came. */
export const PASSES_ON = new Set([
  "if",
  "switch",
  "filter",
  "noOp",
  "wait",
  "respondToWebhook",
  "langchain.textClassifier",
]);
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
  readonly #textsOfFiles = new Set<string>();
  /** Requests whose answer is read as a text, and the step behind them that reads it so. */
  readonly texts = new Map<string, { id: string; mapping: JsonObject }>();
  readonly #take: (name: string) => string;
  readonly #lists: Lists;
  /** Nodes by the ids of their states. */
  readonly #names: ReadonlyMap<string, string>;

  /**
   * @param loopOf the innermost loop or list that each node is in
   * @param take takes an id for a state
   */
  constructor(
    document: N8nDocument,
    ids: ReadonlyMap<string, string>,
    { loopOf, lists }: { loopOf: ReadonlyMap<string, string>; lists: Lists },
    take: (name: string) => string,
  ) {
    this.#take = take;
    this.#document = document;
    this.#ids = ids;
    this.#loopOf = loopOf;
    this.#lists = lists;
    this.#names = new Map([...ids].map(([name, id]) => [id, name]));
  }

  /** Whether a node hands on the text of a file, and nothing else of it. */
  takesText(name: string, isSo: boolean): void {
    if (this.#textsOfFiles.has(name) === isSo) return;
    if (isSo) this.#textsOfFiles.add(name);
    else this.#textsOfFiles.delete(name);
    this.#answers.clear();
  }

  /** A loop became a placeholder. */
  leaveOpen(loop: string): void {
    this.#openLoops.add(loop);
    this.#answers.clear();
  }

  /** Where a node finds what comes in, or what another node hands on; undefined: it cannot be said exactly. */
  pathFor(
    asker: string,
    from: string | undefined,
    segments: Segments,
    which: Read["which"] = "item",
  ): string | undefined {
    const list = from === undefined ? undefined : this.listOf(from);
    if (list !== undefined && which !== "item") return toPath(`${list}[${which === "last" ? -1 : 0}]`, segments);
    // What runs several times has no first run that could be asked for.
    if (from !== undefined && which !== "item" && this.#loopOf.has(from)) return undefined;
    const path = from === undefined ? this.incoming(asker, segments) : this.of(from, segments);
    return path === undefined ? undefined : this.seenFrom(asker, path);
  }

  /** A path as a node has to write it; undefined: it stands in a loop that the node is not in. */
  seenFrom(asker: string, path: string): string | undefined {
    const ofItem = ITEM.exec(path);
    if (ofItem === null) return this.#isSeen(asker, path) ? path : undefined;
    // Inside of another loop `$.item` is that one's.
    return ofItem[1] === this.#ids.get(this.#loopOf.get(asker) ?? "") ? `$.item${ofItem[2]}` : undefined;
  }

  /** What ran in a loop is seen within it: behind it there is one such value for each round. */
  #isSeen(asker: string, path: string): boolean {
    const id = /^\$\.(\w+)_(?:output|error)\b/.exec(path)?.[1];
    const loop = this.#loopOf.get(this.#names.get(id ?? "") ?? "");
    if (loop === undefined || asker === loop) return true;
    // Two loops can lead into each other, so that each lies in the other one.
    const around = new Set([asker]);
    for (const name of around) {
      const next = this.#loopOf.get(name);
      if (next !== undefined) around.add(next);
    }
    return around.has(loop);
  }

  /** What an HTTP request was answered, as a node has to write it. @returns undefined: it stands in a loop that the node is not in, or is several */
  answerBodyFor(asker: string, request: string): string | undefined {
    if (this.#lists.has(request)) return undefined;
    return this.seenFrom(asker, `$.${this.#ids.get(request) ?? ""}_output.body`);
  }

  /** Where the list stands that a node hands on; undefined: it hands on one item. */
  listOf(name: string): string | undefined {
    return typeof this.#lists.get(name) === "object" ? `$.${this.#ids.get(name) ?? ""}_output.result` : undefined;
  }

  /** Whether a node hands on a list, also one that cannot be followed. */
  isList(name: string): boolean {
    return this.#lists.has(name);
  }

  /** Whether two nodes lie in the same loop, or in none. */
  areTogether(one: string, other: string): boolean {
    return this.#loopOf.get(one) === this.#loopOf.get(other);
  }

  /** Whether a node lies in a loop, and in no other one within it. */
  isInLoop(name: string, loop: string): boolean {
    return this.#loopOf.get(name) === loop;
  }

  /** What comes in from the left of a node; undefined: it cannot be said exactly. */
  incoming(name: string, segments: Segments): string | undefined {
    return this.#once(JSON.stringify([name, segments]), () => this.#findIncoming(name, segments));
  }

  #once(question: string, find: () => string | undefined): string | undefined {
    if (this.#answers.has(question)) return this.#answers.get(question);
    // Asked again on the way round a loop: each of its nodes could be the one.
    this.#answers.set(question, undefined);
    const answer = find();
    this.#answers.set(question, answer);
    return answer;
  }

  #findIncoming(name: string, segments: Segments): string | undefined {
    const sources = this.#document.inputs(name).filter(({ from }) => !this.isInLoop(from, name));
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
    return isOwn && !this.#isOverwritten(name, key, paths) ? toPath("$", segments) : undefined;
  }

  /** Whether a step that is gone to beside what leads to a node may write the same key later. */
  #isOverwritten(name: string, key: string, paths: readonly (string | undefined)[]): boolean {
    const owners = new Set(paths.map((path) => this.#names.get(/^\$\.(\w+)_output\b/.exec(path ?? "")?.[1] ?? "")));
    return this.#document.besides(name).some((other) => !owners.has(other.name) && mayWrite(other, key));
  }

  /** What a node hands on, seen from another one. */
  of(name: string, segments: Segments): string | undefined {
    const node = this.#document.nodes.get(name);
    if (node === undefined) return undefined;
    if (node.disabled) return this.incoming(name, segments);
    if (isTrigger(node)) return ofTrigger(node, segments);
    const list = this.#lists.get(name);
    if (typeof list === "object") return toPath(this.#itemOf(list.key), segments);
    const root = `$.${this.#ids.get(name) ?? ""}_output`;
    const [key, ...rest] = segments;
    const { parameters } = node;
    // Where it goes on after an error, this may be the error.
    if (key === "error" && (node.spec.onError === "continueRegularOutput" || node.spec.continueOnFail === true))
      return undefined;
    // Nothing may have passed, and then its item is empty.
    if (node.type === "filter" && node.spec.alwaysOutputData === true) return undefined;
    if (PASSES_ON.has(node.type)) return this.incoming(name, segments);
    if (this.#textsOfFiles.has(name)) return key === "text" && rest.length === 0 ? `${root}.text` : undefined;
    switch (node.type) {
      case "set": {
        const set = fieldsOfSet(node);
        if (typeof key === "string" && set?.fields.has(key)) return toPath(root, segments);
        if (set?.keepsOthers === true)
          return typeof key === "string" && set.keeps(key) ? this.incoming(name, segments) : undefined;
        return key === undefined || set === undefined ? toPath(root, segments) : undefined;
      }
      case "markdown":
        return key === fieldOfMarkdown(node) && rest.length === 0
          ? `${root}.${outputOfMarkdown(node)}`
          : typeof key === "string"
            ? this.incoming(name, segments)
            : undefined;
      case "html":
      case "htmlExtract":
        return toPath(extractsHtml(node) ? `${root}.values` : root, segments);
      case "merge":
        return this.#once(JSON.stringify(["merge", name, segments]), () => this.#ofMerge(node, segments));
      case "splitInBatches":
        return this.#openLoops.has(name) ? undefined : toPath(`${this.#itemOf(name)}`, segments);
      case "httpRequest":
        // An app that fetches a file leaves the item as it is beside it.
        if (node.part !== undefined && answerFormatOf(node).format === "file") return this.incoming(name, segments);
        if (!hasFullResponse(parameters)) return this.#ofAnswer(node, root, segments);
        if (key === "body" || key === "headers") return toPath(`${root}.${key}`, rest);
        return key === "statusCode" && rest.length === 0 ? `${root}.status` : undefined;
      case "langchain.agent":
        if (key !== "output") return undefined;
        if (parserOf(node, this.#document) !== undefined) return toPath(`${root}.object`, rest);
        return rest.length === 0 ? `${root}.text` : undefined;
      case "langchain.chainLlm":
        if (parserOf(node, this.#document) !== undefined)
          return key === "output" ? toPath(`${root}.object`, rest) : undefined;
        return key === "text" && rest.length === 0 ? `${root}.text` : undefined;
      case "langchain.chainRetrievalQa": {
        const isNested = hasNestedAnswer(node);
        if (key !== "response" || (isNested && rest[0] !== "text")) return undefined;
        return rest.length === (isNested ? 1 : 0) ? `${root}.answer` : undefined;
      }
      case "langchain.openAi":
      case "openAi": {
        const found = ofOpenAi(node, root, segments);
        return found === undefined ? undefined : toPath(found.path, found.rest);
      }
      case "langchain.informationExtractor":
        return key === "output" ? toPath(`${root}.object`, rest) : undefined;
      case "executeWorkflow":
        return toPath(`${root}.output`, segments);
      case "dateTime":
      case "splitOut":
      case "aggregate":
      case "limit":
      case "sort":
      case "removeDuplicates":
      case "itemLists":
      case "summarize":
      case "code":
      case "function":
      case "functionItem":
        return toPath(`${root}.result`, segments);
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
    if (merging.kind === "computed" || this.isList(name))
      return toPath(`$.${this.#ids.get(name) ?? ""}_output`, segments);
    if (merging.kind === "choose") {
      const chosen = this.#document.inputs(name).filter(({ input }) => input === merging.input);
      const [only, ...others] = chosen;
      return only === undefined || others.length > 0 ? undefined : this.of(only.from, segments);
    }
    const [key] = segments;
    if (merging.kind !== "position" || typeof key !== "string") return undefined;
    // A side that keeps what came to it may have the key as well.
    const sides = this.#document.inputs(name).flatMap(({ from }) => {
      const source = this.#document.nodes.get(from);
      const set = source?.type === "set" ? fieldsOfSet(source) : undefined;
      return set?.fields.has(key) === true || set?.keeps(key) === true ? [{ from, set }] : [];
    });
    const [only, ...others] = sides;
    return only === undefined || others.length > 0 || !only.set.fields.has(key)
      ? undefined
      : this.of(only.from, segments);
  }
}

/** Whether a key of what is handed on may be written by a step itself. */
function mayWrite(node: N8nNode, key: string): boolean {
  if (node.disabled || isTrigger(node) || PASSES_ON.has(node.type) || node.type === "merge") return false;
  return node.type !== "set" || fieldsOfSet(node)?.fields.has(key) !== false;
}

/** How the answer of a request is read, and the field that a text or a file comes in. */
export function answerFormatOf({ parameters, version }: N8nNode): { format: string; field: string } {
  if (version < 3)
    return {
      format: parameters.responseFormat === "string" ? "text" : "json",
      field: String(parameters.dataPropertyName ?? "data"),
    };
  const options = isObject(parameters.options) ? parameters.options : {};
  const given = isObject(options.response) && isObject(options.response.response) ? options.response.response : {};
  const { responseFormat = "autodetect", outputPropertyName = "data" } = given;
  return { format: String(responseFormat), field: String(outputPropertyName) };
}

/** The field that an answer may come in as a text. */
export function answerFieldOf(node: N8nNode): string | undefined {
  const { format, field } = answerFormatOf(node);
  return format === "json" ? undefined : field;
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
    default:
      return toPath("$.trigger", segments);
  }
}
