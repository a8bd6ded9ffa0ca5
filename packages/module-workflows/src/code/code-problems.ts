import type { InputProblem } from "@oven/module-registry";
import type { Diagnostic } from "@oven/sandbox";

/**
 * What is wrong with code, as problems of the input `code`, each with its line. Errors of types are warnings: the checker knows more Python
 * than the interpreter, and may be wrong.
 */
export function toCodeProblems(found: readonly Diagnostic[]): InputProblem[] {
  return found.map(({ kind, message, line }) => ({
    path: ["code"],
    rule: kind === "syntax" ? "code-syntax" : "code-types",
    message: line === undefined ? message : `Line ${line}: ${message}`,
    fix: "Correct the code at this line.",
    severity: kind === "syntax" ? "error" : "warning",
    ...(line === undefined ? {} : { line }),
  }));
}
