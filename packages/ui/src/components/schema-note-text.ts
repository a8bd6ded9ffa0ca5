import type { Problem, SchemaNote } from "@oven/contract";
import { t } from "@oven/i18n";

const WORDS: Record<SchemaNote["what"], (name: string) => string> = {
  "left-out": (name) => t("{{name}} is not taken: it is left out", { name }),
  merged: (name) => t("{{name}} is not taken: its parts are shown as one", { name }),
  "side-by-side": (name) =>
    t("{{name}} is not taken: the properties of its alternatives are shown side by side", { name }),
  "any-of": () => t("oneOf is shown as anyOf: more than one alternative may fit"),
  "in-words": (name) => t("the property “{{name}}” is only described in words: its name is not taken", { name }),
  "any-value": () => t("false is left out: any value is shown as allowed"),
  "too-large": () => t("it is too large: from here on any value is shown as allowed"),
  recursive: () => t("it contains itself: from here on any value is shown as allowed"),
  pattern: (name) => t("the pattern {{name}} cannot be checked, and is left out", { name }),
  "with-pattern": (name) => t("{{name}} has a pattern that cannot be checked, and is left out", { name }),
  "keys-by-pattern": () => t("keys by a pattern that cannot be checked are left out, and other keys are free"),
};

const READERS: Record<SchemaNote["readers"][number], string> = {
  check: t("not checked"),
  "openai-api": "OpenAI",
  "anthropic-api": "Anthropic",
  "gemini-api": "Gemini",
  mcp: t("MCP clients"),
};

/** What is weakened, and for whom, in the reader's language. */
export function schemaNoteText({ what, name = "", readers }: SchemaNote): string {
  return `${WORDS[what](name)} (${readers.map((reader) => READERS[reader]).join(", ")})`;
}

/** What is wrong in a definition and what to do, in the reader's language where it has words for it. */
export function problemText({ message, fix, note }: Problem): { message: string; fix: string } {
  if (note === undefined) return { message, fix };
  return {
    message: t("Not every reader sees the whole schema. At {{path}}: {{what}}", {
      path: note.path,
      what: schemaNoteText(note),
    }),
    fix: t("The whole schema still checks what comes. Say it in another way if those who give the value must know it."),
  };
}
