import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import type { AnyNode } from "acorn";
import { escapeTemplate, toTemplate } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { N8nReferences } from "./n8n-expression.ts";
import { childrenOf, parseExpression, textIn } from "./n8n-script.ts";

const TYPES: Readonly<Record<string, string>> = { number: "number", boolean: "boolean", json: "object" };
const KEY = /^[\w-]{1,64}$/;

export interface Place {
  type?: string;
  about?: string;
  isOptional?: boolean;
}

/** What a model gives to a tool, by name. */
export class ToolArguments {
  readonly #properties: JsonObject = {};
  readonly #required = new Set<string>();

  /** @returns the expression that reads it. @throws NoEquivalent for a name that n8n does not take either */
  add(name: string, { type = "string", about = "", isOptional = false }: Place = {}): string {
    if (!KEY.test(name)) throw new NoEquivalent("what the model is to give has no name that n8n takes");
    if (!Object.hasOwn(this.#properties, name))
      setOwn(this.#properties, name, {
        type: Object.hasOwn(TYPES, type) ? (TYPES[type] ?? "string") : "string",
        ...(about === "" ? {} : { description: toTemplate(escapeTemplate(about)) }),
      });
    if (!isOptional) this.#required.add(name);
    return `$toolArguments[${JSON.stringify(name)}]`;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#properties).length === 0;
  }

  schema(): JsonObject {
    return { type: "object", properties: this.#properties, required: [...this.#required] };
  }

  /** The same value with what the model gives in place of `$fromAI(…)`. @throws NoEquivalent */
  fill(value: Json): Json {
    if (Array.isArray(value)) return value.map((one) => this.fill(one));
    if (isObject(value)) {
      const result: JsonObject = {};
      for (const [key, child] of Object.entries(value)) setOwn(result, key, this.fill(child));
      return result;
    }
    if (typeof value !== "string" || !value.startsWith("=") || !value.includes("$fromAI")) return value;
    return value.replace(/\{\{((?:(?!\}\}).)*)\}\}/gs, (_all, source: string) => `{{${this.#fillOne(source)}}}`);
  }

  #fillOne(source: string): string {
    const calls: (AnyNode & { type: "CallExpression" })[] = [];
    const look = (node: AnyNode): void => {
      const isAsked =
        node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "$fromAI";
      if (isAsked) calls.push(node);
      else for (const child of childrenOf(node)) look(child);
    };
    look(parseExpression(source));
    let filled = source;
    for (const call of calls.toReversed()) {
      const [name, about, type] = call.arguments.map(textIn);
      if (name === undefined) throw new NoEquivalent("what the model is to give is computed");
      const read = this.add(name, {
        ...(about === undefined ? {} : { about }),
        ...(type === undefined ? {} : { type }),
      });
      // The expression was read in a parenthesis of its own.
      filled = filled.slice(0, call.start - 1) + read + filled.slice(call.end - 1);
    }
    return filled;
  }

  /** The same text with what the model gives in place of `{names}` in it. @throws NoEquivalent */
  fillPlaces(value: Json, known: ReadonlyMap<string, Place>): Json {
    if (typeof value !== "string") return value;
    const isComputed = value.startsWith("=");
    const text = isComputed ? value.slice(1) : value;
    let isFilled = false;
    const parts = text.split(/(\{\{(?:(?!\}\}).)*\}\})/s).map((part) =>
      part.startsWith("{{")
        ? part
        : part.replace(/\{([\w-]+)\}/g, (_all, name: string) => {
            isFilled = true;
            return `{{ ${this.add(name, known.get(name))} }}`;
          }),
    );
    if (!isFilled) return value;
    if (!isComputed && text.includes("{{")) throw new NoEquivalent("its places for what the model gives are not clear");
    return `=${parts.join("")}`;
  }
}

/** Where a tool reads: what is computed is so before the model is asked, so nothing that it gives can be part of that. */
export function beforeTheModel(references: N8nReferences): N8nReferences {
  return {
    pathOf: references.pathOf,
    compute: (source) => {
      if (source.includes("$toolArguments")) throw new NoEquivalent("it computes with what the model gives");
      return references.compute(source);
    },
  };
}
