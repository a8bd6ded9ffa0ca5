import type { CodeLimits } from "./limits.ts";

/** The languages that code may be written in. */
export const CODE_LANGUAGES = ["javascript", "python"] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

/** What a process is asked to run. Data goes as JSON text, which the process hands on without reading it. */
export interface ProcessJob {
  language: CodeLanguage;
  code: string;
  /** The names of the inputs, in the order of `inputsJson`. */
  inputNames: readonly string[];
  /** An object with the inputs. */
  inputsJson: string;
  /** Four integers of 32 bits that random numbers begin with. */
  seed: readonly [number, number, number, number];
  limits: CodeLimits;
  maxResultBytes: number;
  maxLogBytes: number;
  maxLogLines: number;
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
);
