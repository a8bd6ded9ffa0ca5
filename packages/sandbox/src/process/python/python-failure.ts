import { MontyError, MontyRuntimeError } from "@pydantic/monty";
import type { CodeFailure, ProcessAnswer } from "../../job.ts";
import type { JobLogs } from "../job-logs.ts";

const MOST_TEXT = 2_000;

/** The modules that the interpreter has. */
const MODULES = "json, math, re, datetime, asyncio, sys, os, pathlib and typing";

/**
 * The failure of code that raised an error, or that is no Python, or none that the interpreter knows.
 * @param isParsed whether the code was running
 * @param before lines that stand before the author's own; they are counted out and not shown
 * @throws what is no error of the interpreter
 */
export function toPythonFailure(error: unknown, logs: JobLogs, isParsed: boolean, before = 0): ProcessAnswer {
  if (!(error instanceof MontyError)) throw error;
  const { typeName: name, message } = error.exception;
  const isLimit = / limit exceeded: /.test(message);
  if (isLimit && name === "TimeoutError") return logs.late();
  const place = placeOf(error, before);
  if (isLimit && name === "MemoryError")
    return logs.failed({ code: "CODE_MEMORY", message: "The code needs more memory than it may have", ...place });
  const whole = error.display("traceback" as "type-msg"); // cast: errors of syntax take it, too
  const traceback = withoutLines(whole, before).slice(0, MOST_TEXT);
  const failure: CodeFailure = {
    code: isParsed ? "CODE_FAILED" : "CODE_SYNTAX",
    message: message.slice(0, MOST_TEXT),
    name,
    traceback,
    ...place,
  };
  const fix = fixOf(name, message);
  return logs.failed(fix === undefined ? failure : { ...failure, fix });
}

/** The traceback without the frames of the lines before the author's own. */
function withoutLines(traceback: string, before: number): string {
  if (before === 0) return traceback;
  let isShown = true;
  const shown = traceback.split("\n").flatMap((line) => {
    const [, start, number, rest] = /^( {2}File "[^"]*", line )(\d+)(.*)$/.exec(line) ?? [];
    if (number !== undefined) isShown = Number(number) > before;
    else if (!line.startsWith("    ")) isShown = true;
    if (!isShown) return [];
    return number === undefined ? [line] : [`${start}${Number(number) - before}${rest}`];
  });
  return shown.join("\n");
}

function placeOf(error: MontyError, before: number): { line: number; column?: number } | undefined {
  const frames = error instanceof MontyRuntimeError ? error.traceback() : [];
  const frame = frames.findLast(({ line }) => line > before);
  if (frame !== undefined) return { line: frame.line - before, column: frame.column };
  // Of a syntax error only its text says the line.
  const [, line] = /line (\d+)/.exec(error.display("traceback" as "type-msg")) ?? []; // cast: errors of syntax take it, too
  return line === undefined ? undefined : { line: Number(line) };
}

function fixOf(name: string, message: string): string | undefined {
  if (name === "ModuleNotFoundError") return `Only ${MODULES} are there: write what is needed in the code.`;
  if (/OS function .* not implemented/.test(message))
    return "Code has no files, environment and clock: hand the value over as an input.";
  if (name === "NotImplementedError" && message.includes("does not yet support"))
    return "This part of Python is not there: write it with functions, loops, lists and dicts.";
  return undefined;
}
