import type { JsonObject } from "@oven/contract";
import type { Guardrail, GuardrailRule } from "@oven/contract/ai";
import { validateJson } from "@oven/engine";
import { RE2JS } from "re2js";
import { parseWhole } from "../model/read-answer.ts";

const REDACTED = "[redacted]";
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** A guardrail that needs no model. */
export type PlainRule = Exclude<GuardrailRule, { kind: "classifier" }>;

/** Whether a text breaks the rule. Linear in the text, whatever the rule. */
export function breaks(rule: PlainRule, text: string): boolean {
  if (rule.kind === "schema") {
    const value = parseWhole(text)?.value;
    return value === undefined || validateJson(rule.schema as JsonObject, value).length > 0; // cast: JSON by contract
  }
  return toPattern(rule).matcher(text).find();
}

export function redact(rule: Extract<GuardrailRule, { kind: "keyword" | "pattern" }>, text: string): string {
  return toPattern(rule).matcher(text).replaceAll(REDACTED);
}

/** What is wrong with the rule itself; undefined when nothing is. */
export function ruleProblem({ rule }: Pick<Guardrail, "rule">): string | undefined {
  try {
    if (rule.kind === "pattern") RE2JS.compile(rule.pattern);
    if (rule.kind === "schema") breaks(rule, "{}");
    return undefined;
  } catch (error) {
    return `the ${rule.kind} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const compiled = new WeakMap<object, RE2JS>();

function toPattern(rule: Extract<GuardrailRule, { kind: "keyword" | "pattern" }>): RE2JS {
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const pattern =
    rule.kind === "pattern"
      ? RE2JS.compile(rule.pattern)
      : RE2JS.compile(rule.words.map(toWordPattern).join("|"), RE2JS.CASE_INSENSITIVE);
  compiled.set(rule, pattern);
  return pattern;
}

/** RE2's `\b` knows ASCII only, so it stands only where it can tell: beside an ASCII letter or digit. */
function toWordPattern(word: string): string {
  const edge = (character: string | undefined) =>
    character !== undefined && WORD_CHARACTER.test(character) && character < "\u0080" ? "\\b" : "";
  return `${edge(word.at(0))}${RE2JS.quote(word)}${edge(word.at(-1))}`;
}
