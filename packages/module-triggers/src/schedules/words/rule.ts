import type { Said } from "./said.ts";

/** The named parts of a phrase. */
export type Parts = Readonly<Record<string, string | undefined>>;

/** A phrase, and what it says. */
export interface Rule {
  phrase: RegExp;
  say(said: Said, parts: Parts): void;
  /** Whether the phrase has its meaning after what was said. */
  fits?(said: Said): boolean;
}

/** How a language says when something repeats. */
export interface Language {
  rules: readonly Rule[];
  /** Three schedules that it can read. */
  examples: readonly string[];
}

/**
 * A rule for a phrase that ends where a word does.
 * @param phrase source of a regular expression, in small letters; a space is any white space
 */
export function rule(phrase: string, say: Rule["say"], fits?: Rule["fits"]): Rule {
  const source = `(?:${phrase.replaceAll(" ?", "\\s*").replaceAll(" ", "\\s+")})(?![\\p{L}\\p{N}-])`;
  return { phrase: new RegExp(source, "yu"), say, ...(fits === undefined ? {} : { fits }) };
}

/** The place of a word in a list of alternatives such as `["january|jan", "february|feb"]`; -1: in none. */
export function placeOf(word: string | undefined, alternatives: readonly string[]): number {
  return alternatives.findIndex((words) => new RegExp(`^(?:${words})$`, "u").test(word ?? ""));
}
