import type { Json, JsonObject } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import { escapeTemplate, insideText, toLiteral, toPath, toTemplate } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { afterKey } from "./dify-context.ts";
import { type DifyDocument, type DifyNode, objectsIn, selectorOf } from "./dify-document.ts";
import { filesIn } from "./dify-files.ts";
import { isJinjaProgram } from "./dify-jinja.ts";
import { knownTool } from "./dify-known-tools.ts";
import { joinsLists } from "./dify-lists.ts";

/** What a step that handles its errors says of them. */
const OF_ERRORS: Record<string, string> = { error_message: "message", error_type: "code" };
/** How many messages of a person the conversation has by now. */
const DIALOGUE_COUNT = "$.dialogue_count";
/** What a field without a value reads as in Jinja. */
const JINJA_NONE = 'default("None")';

/** Where Dify's variables stand in a run of ours. */
export class DifyData {
  readonly #document: DifyDocument;
  readonly #ids: ReadonlyMap<string, string>;
  /** Loops and iterations that became placeholders: they have no rounds. */
  readonly #openLoops: Set<string>;
  /** The node that reads. */
  readonly #reader: string | undefined;

  constructor(
    document: DifyDocument,
    ids: ReadonlyMap<string, string>,
    openLoops = new Set<string>(),
    reader?: string,
  ) {
    this.#document = document;
    this.#ids = ids;
    this.#openLoops = openLoops;
    this.#reader = reader;
  }

  /** The same, as a node sees it: the item of an iteration is there for what is in it. */
  seenFrom(reader: string): DifyData {
    return new DifyData(this.#document, this.#ids, this.#openLoops, reader);
  }

  /** A loop or an iteration became a placeholder. */
  leaveOpen(id: string): void {
    this.#openLoops.add(id);
  }

  #isAround(loop: string): boolean {
    const reader = this.#reader ?? "";
    return reader === loop || this.#document.nodes.get(reader)?.parent === loop;
  }

  /** @throws NoEquivalent */
  path(selector: readonly string[]): string {
    const named = this.#document.withoutOldSystem(selector);
    const [from = "", key = "", ...rest] = named;
    const found = this.#find(from, key, rest);
    if (found === undefined) throw new NoEquivalent(`the variable ${named.join(".")} has no exact equivalent`);
    return found;
  }

  #find(from: string, key: string, rest: readonly string[]): string | undefined {
    if (from === "sys") {
      if (key === "query" && this.#document.isChat) return "$.trigger.message";
      if (key === "dialogue_count" && this.#document.isChat) return DIALOGUE_COUNT;
      return key === "workflow_run_id" ? "$.execution.id" : undefined;
    }
    if (from === "env") {
      const variable = this.#document.environment.find(({ name }) => name === key);
      return variable === undefined || variable.value_type === "secret" ? undefined : toPath(`$.env_${key}`, rest);
    }
    if (from === "conversation") return toPath(`$.conversation_${key}`, rest);
    const node = this.#document.nodes.get(from);
    if (node === undefined) return undefined;
    // What is a file here has no name, type or size of its own.
    if (rest.length > 0 && filesIn([from, key], this.#document) !== undefined) return undefined;
    const isHandled = typeof node.data.error_strategy === "string" && node.data.error_strategy !== "none";
    if (isHandled && rest.length === 0 && Object.hasOwn(OF_ERRORS, key))
      return `$.${this.#ids.get(node.id) ?? ""}_error.${OF_ERRORS[key]}`;
    return this.#ofNode(node, key, rest);
  }

  /** What a run may begin with beside its form: files that people attach in Dify. @throws NoEquivalent */
  files(): string {
    if (this.#document.fieldOf("files") !== undefined)
      throw new NoEquivalent("files come beside its form, and a field of that is called files");
    return "$.trigger.files | default([])";
  }

  /** Of a field of the start form: one that may be left out has its default, or null. */
  #ofInput(key: string, rest: readonly string[]): string {
    const path = toPath("$.trigger", [key, ...rest]);
    const field = this.#document.fieldOf(key);
    if (field === undefined || (field.required && rest.length === 0)) return path;
    return `${path} | default(${JSON.stringify(rest.length === 0 ? field.preset : null)})`;
  }

  /** An extractor fills in what its text does not have: nothing of the parameter's type. */
  #ofParameter({ id, data }: DifyNode, key: string, rest: readonly string[]): string {
    const path = toPath(`$.${this.#ids.get(id) ?? ""}_output.object`, [key, ...rest]);
    const parameter = objectsIn(data.parameters).find(({ name }) => name === key);
    if (parameter === undefined || parameter.required === true || rest.length > 0) return path;
    const type = String(parameter.type);
    const empty = type.startsWith("array") ? [] : type === "number" ? 0 : /^bool/.test(type) ? false : "";
    return `${path} | default(${JSON.stringify(empty)})`;
  }

  #ofNode(node: DifyNode, key: string, rest: readonly string[]): string | undefined {
    const root = `$.${this.#ids.get(node.id) ?? ""}_output`;
    switch (node.type) {
      case "start":
        return this.#ofInput(key, rest);
      case "llm":
      case "agent":
        if (key === "text") return `${root}.text`;
        return key === "structured_output" ? toPath(`${root}.object`, rest) : undefined;
      case "knowledge-retrieval":
        return key === "result" && rest.length === 0 ? `${root}.matches` : undefined;
      case "question-classifier":
        return key === "class_name" ? `${root}.object.category` : undefined;
      case "parameter-extractor":
        return key.startsWith("__") ? undefined : this.#ofParameter(node, key, rest);
      case "http-request":
        if (key === "status_code") return `${root}.status`;
        return key === "body" || key === "headers" ? toPath(`${root}.${key}`, rest) : undefined;
      case "iteration":
        if (this.#openLoops.has(node.id)) return toPath(root, [key, ...rest]);
        if (key === "item" || key === "index") {
          if (!this.#isAround(node.id)) return undefined;
          return key === "item" ? this.#ofItem(node, rest) : "$.index";
        }
        if (key !== "output") return undefined;
        return toPath(
          `$.${this.#ids.get(afterKey(node.id)) ?? ""}_output${joinsLists(node, this.#document) ? ".result" : ""}.output`,
          rest,
        );
      case "loop":
        if (this.#openLoops.has(node.id)) return toPath(root, [key, ...rest]);
        return this.#document.typeOf([node.id, key]) === undefined
          ? undefined
          : toPath(`$.${this.#ids.get(node.id) ?? ""}_${key}`, rest);
      case "template-transform": {
        const isProgram = isJinjaProgram(String(node.data.template ?? ""));
        return toPath(isProgram ? `${root}.result` : root, [key, ...rest]);
      }
      case "document-extractor": {
        const isList = filesIn(selectorOf(node.data.variable_selector) ?? [], this.#document) === "list";
        return key === "text" && rest.length === 0 ? `${root}.${isList ? "texts" : "text"}` : undefined;
      }
      case "code":
      case "list-operator":
        return toPath(`${root}.result`, [key, ...rest]);
      case "tool":
        return ofTool(node, root, [key, ...rest]);
      case "answer":
        return key === "answer" ? `${root}.text` : undefined;
      default:
        return toPath(root, [key, ...rest]);
    }
  }

  /** What is found has other fields here. */
  #ofItem({ data }: DifyNode, rest: readonly string[]): string | undefined {
    const [from = "", result] = selectorOf(data.iterator_selector) ?? [];
    const isFound = this.#document.nodes.get(from)?.type === "knowledge-retrieval" && result === "result";
    if (!isFound) return toPath("$.item", rest);
    const [field, ...inner] = rest;
    if (field === "content") return toPath("$.item.text", inner);
    if (field === "title") return toPath("$.item.source.title", inner);
    return field === "metadata" && inner.length > 0 ? toPath("$.item.metadata", inner) : undefined;
  }

  /** Text with `{{#node.variable#}}`. @throws NoEquivalent */
  template(text: string, context?: readonly string[]): Json {
    const whole = /^\s*\{\{#([^#{}]+)#\}\}\s*$/.exec(text)?.[1];
    if (whole !== undefined) return this.#named(whole, context);
    let result = "";
    let at = 0;
    for (const match of text.matchAll(/\{\{#([^#{}]+)#\}\}/g)) {
      result += `${escapeTemplate(text.slice(at, match.index))}{{ ${this.#named(match[1] ?? "", context)} }}`;
      at = match.index + match[0].length;
    }
    return at === 0 ? toLiteral(text) : toTemplate(result + escapeTemplate(text.slice(at)));
  }

  #named(name: string, context: readonly string[] | undefined): string {
    if (name !== "context") return this.path(name.split("."));
    const [from = ""] = context ?? [];
    if (this.#document.nodes.get(from)?.type === "knowledge-retrieval")
      return `$.${this.#ids.get(from) ?? ""}_output.context`;
    if (context === undefined) throw new NoEquivalent("it has no context to fill in");
    return this.path(context);
  }

  /** Jinja with nothing but variables in it. @throws NoEquivalent */
  jinja(source: string, variables: readonly { name: string; selector: readonly string[] }[]): Json {
    // One line break at the end is left out.
    const text = source.replace(/\r?\n$/, "");
    if (/\{%|\{#(?!.*#\}\})/.test(text)) throw new NoEquivalent("its Jinja template does more than fill in variables");
    let result = "";
    let at = 0;
    for (const match of text.matchAll(/\{\{((?:(?!\}\}).)*)\}\}/gs)) {
      const [, name = "", dots = ""] = /^\s*([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)*)\s*$/.exec(match[1] ?? "") ?? [];
      const variable = variables.find((one) => one.name === name);
      if (variable === undefined) throw new NoEquivalent("its Jinja template does more than fill in variables");
      const path = withSegments(this.path(variable.selector), dots.split(".").slice(1)).replace(
        /default\(null\)$/,
        JINJA_NONE,
      );
      result += `${escapeTemplate(text.slice(at, match.index))}{{ ${path} }}`;
      at = match.index + match[0].length;
    }
    return at === 0 ? toLiteral(text) : toTemplate(result + escapeTemplate(text.slice(at)));
  }

  /** A value as text, which a variable becomes as well. @throws NoEquivalent */
  text(value: Json): Json {
    const translated = this.value(value);
    return typeof translated === "string" ? insideText(translated) : translated;
  }

  /** A value that is text with variables, or as it stands. @throws NoEquivalent */
  value(value: Json): Json {
    return typeof value === "string" ? this.template(value) : toLiteral(value);
  }
}

/** What a tool hands on; of one that is not known, what its placeholder's replacement has to. */
function ofTool(node: DifyNode, root: string, [key = "", ...rest]: readonly string[]): string | undefined {
  const known = knownTool(node);
  if (known === undefined) return toPath(root, [key, ...rest]);
  const isThere = known.fields.includes(key) && (key !== "text" || rest.length === 0);
  return isThere ? toPath(`${root}.result`, [key, ...rest]) : undefined;
}

/** A path that goes deeper; its default is for its end. */
function withSegments(path: string, segments: readonly string[]): string {
  if (segments.length === 0) return path;
  const at = path.indexOf(" | ");
  return at < 0 ? toPath(path, segments) : `${toPath(path.slice(0, at), segments)} | default(null)`;
}

/** Counts the messages, where a step reads how many there are; the conversation ends with the message of the run. */
export function countMessages({ isChat, readsCount }: DifyDocument): Action[] {
  const expression = "size(ctx.messages.filter(m, m.role == 'user'))";
  return isChat && readsCount
    ? [{ type: "assign", params: { path: DIALOGUE_COUNT, value: { $cel: expression } } }]
    : [];
}

/** Variables of the run that stand for those of the app, and their first values. */
export function variablesOf({ environment, conversation }: DifyDocument): JsonObject {
  const context: JsonObject = {};
  for (const { name, value, value_type } of environment)
    if (value_type !== "secret") context[`env_${name}`] = value ?? "";
  for (const { name, value } of conversation) context[`conversation_${name}`] = value ?? "";
  return context;
}
