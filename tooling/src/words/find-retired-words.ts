import { RETIRED_WORDS, type RetiredWord } from "./retired-words.ts";

/**
 * Lines of a text that use a retired word.
 * @param path relative to the root, with forward slashes
 * @returns one line for each: `path:line: "word", use …`
 */
export function findRetiredWords(path: string, text: string, words: readonly RetiredWord[] = RETIRED_WORDS): string[] {
  const inForce = words.filter(({ except = [] }) => !except.some((beginning) => path.startsWith(beginning)));
  return text.split("\n").flatMap((line, index) =>
    inForce.flatMap(({ pattern, use }) => {
      const found = pattern.exec(line)?.[0];
      return found === undefined ? [] : [`${path}:${index + 1}: "${found}", use ${use} (docs/glossary.md)`];
    }),
  );
}
