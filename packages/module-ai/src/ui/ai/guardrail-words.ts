import { isObject } from "@oven/contract";
import type { Guardrail, GuardrailRule } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { readTypedJson } from "@oven/ui/components/typed-value.ts";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

export const DIRECTIONS: readonly { value: Guardrail["direction"]; label: string }[] = [
  { value: "both", label: t("What is sent and what is answered") },
  { value: "input", label: t("What is sent to models") },
  { value: "output", label: t("What models answer") },
];
export const ACTIONS: readonly { value: Guardrail["action"]; label: string }[] = [
  { value: "block", label: t("Refuse the call") },
  { value: "redact", label: t("Mask it as [redacted]") },
  { value: "warn", label: t("Let it through with a warning") },
];
export const RULE_KINDS: readonly { value: GuardrailRule["kind"]; label: string }[] = [
  { value: "keyword", label: t("Words or phrases") },
  { value: "pattern", label: t("A pattern (RE2)") },
  { value: "schema", label: t("It must be JSON of a schema") },
  { value: "classifier", label: t("A model judges it") },
];
export const ACTION_LOOK: Readonly<Record<Guardrail["action"], { tone: StatusTone; word: string }>> = {
  block: { tone: "failed", word: t("refuses") },
  redact: { tone: "paused", word: t("masks") },
  warn: { tone: "queued", word: t("warns") },
};

/** `hydra, medusa and 3 more`, `\d{16}`, … */
export function toRuleWords(rule: GuardrailRule): string {
  switch (rule.kind) {
    case "keyword": {
      const shown = rule.words.slice(0, 3).join(", ");
      return rule.words.length > 3 ? t("{{shown}} and {{more}} more", { shown, more: rule.words.length - 3 }) : shown;
    }
    case "pattern":
      return rule.pattern;
    case "schema":
      return t("what is not JSON of its schema");
    case "classifier":
      return t("what {{model}} judges to be {{qualities}}", {
        model: rule.model,
        qualities: rule.unwanted.join(" or "),
      });
  }
}

/** A guardrail as its form has it: every kind's fields, whichever is chosen. */
export interface GuardrailDraft {
  name: string;
  direction: Guardrail["direction"];
  action: Guardrail["action"];
  enabled: boolean;
  kind: GuardrailRule["kind"];
  words: string;
  pattern: string;
  schema: string;
  model: string;
  instructions: string;
  labels: string;
  unwanted: string;
}

export const NEW_GUARDRAIL: GuardrailDraft = {
  name: "",
  direction: "both",
  action: "block",
  enabled: true,
  kind: "keyword",
  words: "",
  pattern: "",
  schema: '{ "type": "object" }',
  model: "fast",
  instructions: "",
  labels: "",
  unwanted: "",
};

export function toDraft({ name, direction, action, enabled, rule }: Guardrail): GuardrailDraft {
  const draft = { ...NEW_GUARDRAIL, name, direction, action, enabled, kind: rule.kind };
  switch (rule.kind) {
    case "keyword":
      return { ...draft, words: rule.words.join("\n") };
    case "pattern":
      return { ...draft, pattern: rule.pattern };
    case "schema":
      return { ...draft, schema: JSON.stringify(rule.schema, null, 2) };
    case "classifier": {
      const { model, instructions, labels, unwanted } = rule;
      return { ...draft, model, instructions, labels: labels.join(", "), unwanted: unwanted.join(", ") };
    }
  }
}

type Body = Pick<Guardrail, "name" | "direction" | "action" | "enabled" | "rule">;

/** What the form says, to be sent; null while something is missing. */
export function toBody(draft: GuardrailDraft): Body | null {
  const { name, direction, action, enabled } = draft;
  const rule = toRule(draft);
  return rule === null || name.trim() === "" ? null : { name: name.trim(), direction, action, enabled, rule };
}

function toRule(draft: GuardrailDraft): GuardrailRule | null {
  const { kind, pattern, model, instructions } = draft;
  switch (kind) {
    case "keyword": {
      const words = split(draft.words, "\n");
      return words.length === 0 ? null : { kind, words };
    }
    case "pattern":
      return pattern === "" ? null : { kind, pattern };
    case "schema": {
      const schema = readObject(draft.schema);
      return schema === null ? null : { kind, schema };
    }
    case "classifier": {
      const [labels, unwanted] = [split(draft.labels, ","), split(draft.unwanted, ",")];
      const isWhole = model.trim() !== "" && instructions.trim() !== "" && labels.length > 1 && unwanted.length > 0;
      return isWhole ? { kind, model: model.trim(), instructions: instructions.trim(), labels, unwanted } : null;
    }
  }
}

function split(text: string, by: string): string[] {
  return text
    .split(by)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function readObject(text: string): Extract<GuardrailRule, { kind: "schema" }>["schema"] | null {
  const typed = readTypedJson(text);
  return typed.ok && isObject(typed.value) ? typed.value : null;
}
