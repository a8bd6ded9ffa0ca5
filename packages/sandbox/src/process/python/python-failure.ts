import { MontyError, MontyRuntimeError } from "@pydantic/monty";
import type { CodeFailure, ProcessAnswer } from "../../job.ts";
import type { JobLogs } from "../job-logs.ts";

const MOST_TEXT = 2_000;

/** The modules that the interpreter has. */
const MODULES = "json, math, re, datetime, asyncio, sys, os, pathlib and typing";

/**
 * The failure of code that raised an error, or that is no Python, or none that the interpreter knows.
 * @param isParsed whether the code was running
 * @throws what is no error of the interpreter
 */
export function toPythonFailure(error: unknown, logs: JobLogs, isParsed: boolean): ProcessAnswer {
  if (!(error instanceof MontyError)) throw error;
  const { typeName: name, message } = error.exception;
  const isLimit = / limit exceeded: /.test(message);
  if (isLimit && name === "TimeoutError") return logs.late();
  const place = placeOf(error);
  if (isLimit && name === "MemoryError")
    return logs.failed({ code: "CODE_MEMORY", message: "The code needs more memory than it may have", ...place });
  const traceback = error.display("traceback" as "type-msg").slice(0, MOST_TEXT); // cast: errors of syntax take it, too
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

function lastFrame(error: MontyError) {
  return error instanceof MontyRuntimeError ? error.traceback().at(-1) : undefined;
}

function placeOf(error: MontyError): { line: number; column?: number } | undefined {
  const frame = lastFrame(error);
  if (frame !== undefined) return { line: frame.line, column: frame.column };
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
