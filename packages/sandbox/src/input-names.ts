import type { CodeLanguage } from "./job.ts";

const IDENTIFIERS: Record<CodeLanguage, RegExp> = {
  javascript: /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u,
};

/** Words that are no names in a language, or whose meaning an input would take away. */
const RESERVED: Record<CodeLanguage, ReadonlySet<string>> = {
  javascript: new Set(
    [
      "arguments async await break case catch class const continue debugger default delete do else enum eval export extends",
      "false finally for function if implements import in instanceof interface let new null package private protected public",
      "return static super switch this throw true try typeof undefined var void while with yield Infinity NaN",
    ].flatMap((words) => words.split(" ")),
  ),
};

/**
 * Whether code of a language can read an input by this name.
 * @param name as the author has written it
 */
export function isInputName(name: string, language: CodeLanguage): boolean {
  return IDENTIFIERS[language].test(name) && !RESERVED[language].has(name);
}
