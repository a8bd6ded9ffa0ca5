import type { CodeLanguage } from "./job.ts";

const IDENTIFIERS: Record<CodeLanguage, RegExp> = {
  javascript: /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u,
  python: /^[\p{XID_Start}_]\p{XID_Continue}*$/u,
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
  python: new Set(
    [
      "False None True and as assert async await break class continue def del elif else except finally for from global if",
      "import in is lambda nonlocal not or pass raise return try while with yield",
    ].flatMap((words) => words.split(" ")),
  ),
};

/**
 * Whether code of a language can read an input by this name.
 * @param name as the author has written it
 */
export function isInputName(name: string, language: CodeLanguage): boolean {
  // Python takes letters that are written in several ways as one: the name would be another one than the author sees.
  if (language === "python" && name.normalize("NFKC") !== name) return false;
  return IDENTIFIERS[language].test(name) && !RESERVED[language].has(name);
}
