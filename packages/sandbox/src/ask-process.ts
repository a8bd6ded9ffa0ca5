import { type Json, type JsonObject, OvenError, parseJson } from "@oven/contract";
import { toOvenError } from "./code-error.ts";
import { isInputName } from "./input-names.ts";
import type { CodeLanguage, JobBounds, ProcessAnswer, ProcessJob } from "./job.ts";
import {
  type CodeLimits,
  DEFAULT_LIMITS,
  MAX_CODE_BYTES,
  MAX_DATA_BYTES,
  MAX_LIMITS,
  MAX_LOG_BYTES,
  MAX_LOG_LINES,
} from "./limits.ts";
import { ProcessEnded } from "./pool/code-process.ts";
import type { ProcessPool } from "./pool/process-pool.ts";

/** How long a process may take beyond the time of the code, before it is killed. */
const GRACE_MS = 1_000;

/** In JSON as it is written here, such a half is an escape, and every other character stands for itself. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;

/** Whether a JSON text has half a character, which Python here cannot hold. */
export function hasLoneSurrogate(json: string): boolean {
  return LONE_SURROGATE.test(json);
}

/** Has a process of the pool do a job. @throws OvenError CODE_TIMEOUT, CODE_CRASHED, CODE_BUSY; the reason of `signal` */
export async function ask(pool: ProcessPool, job: ProcessJob, signal: AbortSignal | undefined): Promise<ProcessAnswer> {
  try {
    return await pool.run(job, job.limits.timeMs + GRACE_MS, signal);
  } catch (error) {
    if (error instanceof ProcessEnded) throw ofProcess(error, job);
    throw error;
  }
}

/** What a job may use. @param limits as far as they are asked for */
export function toBounds(limits: Partial<CodeLimits>): JobBounds {
  return {
    limits: {
      timeMs: Math.min(limits.timeMs ?? DEFAULT_LIMITS.timeMs, MAX_LIMITS.timeMs),
      memoryMb: Math.min(limits.memoryMb ?? DEFAULT_LIMITS.memoryMb, MAX_LIMITS.memoryMb),
    },
    maxResultBytes: MAX_DATA_BYTES,
    maxLogBytes: MAX_LOG_BYTES,
    maxLogLines: MAX_LOG_LINES,
  };
}

/** Code and its inputs as a process gets them. @throws OvenError CODE_INPUT_INVALID */
export function toInputs(language: CodeLanguage, code: string, inputs: JsonObject) {
  const inputNames = Object.keys(inputs);
  const refused = inputNames.find((name) => !isInputName(name, language));
  if (refused !== undefined)
    throw refuseInput(
      `${JSON.stringify(refused)} cannot be the name of an input`,
      "Name it as a variable, such as order.",
    );
  const inputsJson = JSON.stringify(inputs);
  if (language === "python" && hasLoneSurrogate(inputsJson))
    throw refuseInput("An input has half a character (a lone surrogate), which Python here cannot hold", "Remove it.");
  if (Buffer.byteLength(inputsJson) > MAX_DATA_BYTES)
    throw refuseInput(`The inputs are larger than ${MAX_DATA_BYTES} bytes`, "Hand over only what the code reads.");
  if (Buffer.byteLength(code) > MAX_CODE_BYTES)
    throw refuseInput(`The code is larger than ${MAX_CODE_BYTES} bytes`, "Hand data over as inputs.");
  return { code, inputNames, inputsJson };
}

/** @throws OvenError CODE_RESULT_INVALID, NUMBER_NOT_EXACT */
export function readResult(json: string, what = "The result", root = "$.result"): Json {
  try {
    return parseJson(json, { what, root });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw toOvenError({ code: "CODE_RESULT_INVALID", message: `${what} is no JSON` }, []);
  }
}

/** The process has answered what it was not asked for. */
export function otherAnswer(): OvenError {
  return crashed("it answered something else than asked for");
}

function refuseInput(message: string, fix: string): OvenError {
  return new OvenError("CODE_INPUT_INVALID", message, { status: 422, fix });
}

function ofProcess({ reason, message }: ProcessEnded, { limits }: ProcessJob): OvenError {
  if (reason === "late")
    return toOvenError({ code: "CODE_TIMEOUT", message: `The code ran longer than ${limits.timeMs} ms` }, []);
  return crashed(message);
}

function crashed(how: string): OvenError {
  return new OvenError("CODE_CRASHED", "The process that ran the code has ended before the code did", {
    status: 422,
    fix: "Run it again. If it happens each time, the code breaks the interpreter: write it in another way.",
    details: { how },
    retryable: true,
  });
}
