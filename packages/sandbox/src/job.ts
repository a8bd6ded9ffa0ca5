import type { Json } from "@oven/contract";
import type { CodeLimits } from "./limits.ts";

/** The languages that code may be written in. */
export const CODE_LANGUAGES = ["javascript", "python"] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

/** What each job may use. */
export interface JobBounds {
  limits: CodeLimits;
  maxResultBytes: number;
  maxLogBytes: number;
  maxLogLines: number;
}

/** Code that runs from its beginning to its end. Data goes as JSON text, which the process hands on without reading it. */
export interface CodeJob extends JobBounds {
  kind: "code";
  language: CodeLanguage;
  code: string;
  /** The names of the inputs, in the order of `inputsJson`. */
  inputNames: readonly string[];
  /** An object with the inputs. */
  inputsJson: string;
  /** Four integers of 32 bits that random numbers begin with. */
  seed: readonly [number, number, number, number];
}

/** A function that a program may call: outside of the process, which only says that it was called. */
export interface ProgramFunction {
  name: string;
  /** Names of its parameters, in the order in which values without a name stand for them. */
  parameters: readonly string[];
}

/** A Python program that runs until it needs the answers of its calls, or ends. */
export interface ProgramJob extends JobBounds {
  kind: "program";
  language: "python";
  code: string;
  functions: readonly ProgramFunction[];
  inputNames: readonly string[];
  inputsJson: string;
  /** Where it goes on; absent: it begins anew, and `answersJson` has all answers since. */
  session?: string | undefined;
  /** A list for each time the program waited, with an answer for each call, as `CallAnswer`. */
  answersJson: string;
  maxSessionBytes: number;
  /** Most calls at which the program may wait at a time. */
  maxCalls: number;
}

/** Code that is only looked at. */
export interface CheckJob extends JobBounds {
  kind: "check";
  language: CodeLanguage;
  code: string;
  inputNames: readonly string[];
  /** Python that declares functions and inputs; its own lines are not part of what is found. JavaScript has none. */
  stubs: string;
}

/** What a process is asked for. */
export type ProcessJob = CodeJob | ProgramJob | CheckJob;

/** What a call of a program was answered, or why it failed: an exception that the program may catch. */
export type CallAnswer = { value: Json } | { error: string };

/** What is wrong with code before it runs. JavaScript has no types to look at. */
export interface Diagnostic {
  kind: "syntax" | "type";
  message: string;
  /** Counted from 1. */
  line?: number | undefined;
}

/** Why code gave no result. */
export type FailureCode =
  | "CODE_SYNTAX"
  | "CODE_FAILED"
  | "CODE_TIMEOUT"
  | "CODE_MEMORY"
  | "CODE_OUTPUT_TOO_LARGE"
  | "CODE_RESULT_INVALID";

/** A failure, placed in the code as the author wrote it. */
export interface CodeFailure {
  code: FailureCode;
  message: string;
  /** The class of the error, such as `TypeError`. */
  name?: string;
  /** Counted from 1. */
  line?: number;
  column?: number;
  traceback?: string;
  /** Where in the result. */
  path?: (string | number)[];
  /** What to do about it. */
  fix?: string;
}

/**
 * What a process answers. `resultJson` is not trusted: it is read and checked like any JSON from outside. After an answer that is the last
 * the process takes no job, and is to be killed.
 */
export type ProcessAnswer = { logs: string[]; isLast?: true | undefined } & (
  | { type: "result"; resultJson: string }
  | { type: "failure"; failure: CodeFailure }
  | { type: "calls"; calls: { name: string; argumentsJson: string }[]; session: string }
  /** The session is of another version of the interpreter, or damaged. */
  | { type: "unreadable"; message: string }
  | { type: "checked"; diagnostics: Diagnostic[] }
);
