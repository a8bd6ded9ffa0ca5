import { Monty, MontyError, MontyTypingError } from "@pydantic/monty";
import type { CheckJob, Diagnostic, ProcessAnswer } from "../../job.ts";

const MOST_FOUND = 20;
const MOST_TEXT = 500;
/** The checker knows no `return` outside of a function, which ends a program here. */
const ENDS_PROGRAM = "`return` statement outside of a function";

/** Looks for errors of syntax and types, without running anything. */
export function checkProgram({ code, inputNames, stubs }: CheckJob): ProcessAnswer {
  return { type: "checked", diagnostics: findDiagnostics(code, inputNames, stubs), logs: [] };
}

function findDiagnostics(code: string, inputNames: readonly string[], stubs: string): Diagnostic[] {
  try {
    const hasInputs = inputNames.length > 0;
    const parsed = new Monty(code, { scriptName: "code.py", ...(hasInputs ? { inputs: [...inputNames] } : {}) });
    parsed.typeCheck(stubs.trimEnd());
    return [];
  } catch (error) {
    if (error instanceof MontyTypingError) return readTyping(error, stubs.trimEnd().split("\n").length);
    if (!(error instanceof MontyError)) throw error;
    const shown = error.display("traceback" as "type-msg"); // cast: errors of syntax take it, too
    const line = Number(/line (\d+)/.exec(shown)?.[1] ?? Number.NaN);
    const message = `${error.exception.typeName}: ${error.exception.message}`.slice(0, MOST_TEXT);
    return [{ kind: "syntax", message, ...(Number.isNaN(line) ? {} : { line }) }];
  }
}

/** One line for each: `code.py:7:22: error[invalid-argument-type] …`. */
function readTyping(error: MontyTypingError, before: number): Diagnostic[] {
  const lines = error.displayDiagnostics("concise").split("\n");
  const found = lines.flatMap((text): Diagnostic[] => {
    const [, line, message = ""] = /^[^:]+:(\d+):\d+: error\[[\w-]+\] (.*)$/.exec(text) ?? [];
    if (line === undefined || Number(line) <= before || message.includes(ENDS_PROGRAM)) return [];
    return [{ kind: "type", message: message.slice(0, MOST_TEXT), line: Number(line) - before }];
  });
  return found.slice(0, MOST_FOUND);
}
