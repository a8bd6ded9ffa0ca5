import type { Json } from "@oven/contract";
import { NodeHtmlMarkdown } from "node-html-markdown";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import { escapeTemplate, toLiteral, toPath, toTemplate } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { FlowiseDocument, FlowiseNode } from "./flowise-document.ts";

/** A variable in a text of Flowise. */
export const VARIABLE = /\{\{[^{}]+\}\}/;
const VARIABLES = new RegExp(VARIABLE.source, "g");
/** What its editor writes; other texts are Markdown. */
const HTML = /^\s*<(?:p|div|h[1-6]|ul|ol|blockquote|pre|table)\b/i;
const NOTHING = /a^/g;
const markdown = new NodeHtmlMarkdown({ globalEscape: [NOTHING, ""], lineStartEscape: [NOTHING, ""] });

/** Keys of the further parts of a node, and of its own where one comes before. */
export type PartOf = "list" | "results" | "before" | "own";

interface DataOptions {
  document: FlowiseDocument;
  stateOf(node: string, part?: PartOf): string;
  isChat: boolean;
  reporter: ImportReporter;
}

/** Where the variables of an agentflow stand in a run of ours. */
export class FlowiseData {
  readonly #document: FlowiseDocument;
  readonly #stateOf: DataOptions["stateOf"];
  readonly #isChat: boolean;
  readonly #reporter: ImportReporter;

  constructor({ document, stateOf, isChat, reporter }: DataOptions) {
    this.#document = document;
    this.#stateOf = stateOf;
    this.#isChat = isChat;
    this.#reporter = reporter;
  }

  /** What `{{ node }}` reads. @throws NoEquivalent */
  contentOf(node: FlowiseNode): string {
    const root = `$.${this.#stateOf(node.id)}_output`;
    switch (node.type) {
      case "llmAgentflow":
      case "agentAgentflow":
      case "directReplyAgentflow":
        return `${root}.text`;
      case "httpAgentflow":
        return `${root}.body`;
      case "customFunctionAgentflow":
        return `${root}.result`;
      case "retrieverAgentflow":
        return `${root}.context`;
      case "iterationAgentflow":
        return `$.${this.#stateOf(node.id, "results")}_output.text`;
      case "toolAgentflow":
      case "executeFlowAgentflow":
        return `${root}.content`;
      default:
        throw new NoEquivalent(`what “${node.label}” hands on has no equivalent`);
    }
  }

  /** `{{ node.output.key }}` @throws NoEquivalent */
  #outputOf(node: FlowiseNode, keys: readonly string[]): string {
    const root = `$.${this.#stateOf(node.id)}_output`;
    const [first = "", second = "", ...rest] = keys;
    if (first === "content" && keys.length === 1) return this.contentOf(node);
    if (node.type === "llmAgentflow" || node.type === "agentAgentflow") return toPath(`${root}.object`, keys);
    if (node.type === "httpAgentflow" && first === "http") {
      if (second === "data") return toPath(`${root}.body`, rest);
      if (second === "status" && rest.length === 0) return `${root}.status`;
      if (second === "headers") return toPath(`${root}.headers`, rest);
    }
    if (node.type === "toolAgentflow" || node.type === "executeFlowAgentflow") return toPath(root, keys);
    throw new NoEquivalent(`${keys.join(".")} of “${node.label}” has no equivalent`);
  }

  /** @param own what `{{ output }}` reads @throws NoEquivalent */
  path(reference: string, reader: FlowiseNode, own?: string): string {
    const name = reference.replaceAll("\\", "").trim();
    const [root = "", ...keys] = name.split(".");
    if (name === "output" && own !== undefined) return own;
    // A field of the answer that a model has just given.
    if (root === "output" && own?.endsWith("_output.text") === true && keys.length > 0)
      return toPath(own.replace(/text$/, "object"), keys);
    if (name === "question" && this.#isChat) return "$.trigger.message";
    if (name === "current_date_time") {
      this.#reporter.note("current_date_time is the time at which the run began.");
      return "$.execution.startedAt";
    }
    if (root === "$form") return toPath("$.trigger", keys);
    if (root === "$vars" && keys[0] !== undefined) {
      const advice = "Set a value of this name in the configuration: variables of Flowise are not in the document.";
      this.#reporter.setting("configuration", keys[0], advice, reader.path);
      return toPath("$.config", keys);
    }
    if (root === "$flow" && keys[0] === "state" && keys.length > 1) return toPath("$.state", keys.slice(1));
    if (root === "$iteration" && reader.parent !== undefined) return toPath("$.item", keys);
    const node = this.#document.nodes.get(root);
    if (node !== undefined && keys.length === 0) return this.contentOf(node);
    if (node !== undefined && keys[0] === "output" && keys.length > 1) return this.#outputOf(node, keys.slice(1));
    throw new NoEquivalent(`the variable ${name} has no exact equivalent`);
  }

  /** A text with variables; what its editor wrote becomes Markdown. @throws NoEquivalent */
  template(given: Json | undefined, reader: FlowiseNode, own?: string): Json {
    if (typeof given !== "string") return given === undefined || given === null ? "" : toLiteral(given);
    const text = plainText(given);
    const whole = /^\{\{([^{}]+)\}\}$/.exec(text.trim())?.[1];
    if (whole !== undefined) return this.path(whole, reader, own);
    let result = "";
    let at = 0;
    for (const match of text.matchAll(VARIABLES)) {
      const path = this.path(match[0].slice(2, -2), reader, own);
      result += `${escapeTemplate(text.slice(at, match.index))}{{ ${path} }}`;
      at = match.index + match[0].length;
    }
    return at === 0 ? toLiteral(text) : toTemplate(result + escapeTemplate(text.slice(at)));
  }

  /** A text with variables as CEL, which is always a text. @throws NoEquivalent */
  cel(given: Json | undefined, reader: FlowiseNode): string {
    const text = plainText(typeof given === "string" ? given : String(given ?? ""));
    const parts: string[] = [];
    let at = 0;
    const add = (literal: string) => literal !== "" && parts.push(JSON.stringify(literal));
    for (const match of text.matchAll(VARIABLES)) {
      add(text.slice(at, match.index));
      parts.push(`string(${toCel(this.path(match[0].slice(2, -2), reader))})`);
      at = match.index + match[0].length;
    }
    add(text.slice(at));
    return parts.length === 0 ? '""' : parts.join(" + ");
  }
}

/** A path of ours as CEL. */
function toCel(path: string): string {
  return path.replace(/^\$\.(?=(?:trigger|item|execution)\b)/, "").replace(/^\$\./, "ctx.");
}

/** The text that a field holds, as Markdown. */
export function plainText(given: string): string {
  return HTML.test(given) ? markdown.translate(given) : given;
}
