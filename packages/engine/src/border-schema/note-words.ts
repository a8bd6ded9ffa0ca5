import type { SchemaNote } from "@oven/contract";

/** What a schema that is handed out says less than the one that values are checked by, at one place. */
export type Note = Omit<SchemaNote, "readers">;

const WORDS: Record<SchemaNote["what"], (name: string) => string> = {
  "left-out": (name) => `\`${name}\` is not taken: it is left out`,
  merged: (name) => `\`${name}\` is not taken: its parts are shown as one`,
  "side-by-side": (name) => `\`${name}\` is not taken: the properties of its alternatives are shown side by side`,
  "any-of": () => "`oneOf` is shown as `anyOf`: more than one alternative may fit",
  "in-words": (name) => `the property ${JSON.stringify(name)} is only described in words: its name is not taken`,
  "any-value": () => "`false` is left out: any value is shown as allowed",
  "too-large": () => "it is too large: from here on any value is shown as allowed",
  recursive: () => "it contains itself: from here on any value is shown as allowed",
  pattern: (name) => `the pattern ${name} cannot be checked, and is left out`,
  "with-pattern": (name) => `\`${name}\` has a pattern that cannot be checked, and is left out`,
  "keys-by-pattern": () => "keys by a pattern that cannot be checked are left out, and other keys are free",
};

/** @param name the keyword, property or pattern that it is about */
export function toNote(path: string, what: SchemaNote["what"], name?: string): Note {
  return { path, what, ...(name === undefined ? {} : { name }), message: WORDS[what](name ?? "") };
}
