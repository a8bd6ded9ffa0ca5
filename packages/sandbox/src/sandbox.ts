import { createHash } from "node:crypto";
import { type Json, type JsonObject, OvenError, parseJson } from "@oven/contract";
import { toOvenError } from "./code-error.ts";
import { isInputName } from "./input-names.ts";
import type { CodeLanguage, ProcessJob } from "./job.ts";
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
import { ProcessPool } from "./pool/process-pool.ts";

/** How long a process may take beyond the time of the code, before it is killed. */
const GRACE_MS = 1_000;
const DEFAULT_PROCESSES = 2;
const DEFAULT_WAITING = 1_000;
const DEFAULT_IDLE_MS = 60_000;

/** In JSON as it is written here, such a half is an escape, and every other character stands for itself. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;

export interface SandboxOptions {
  /** Most processes at a time. Default 2. */
  processes?: number;
  /** Most jobs that wait for a process. Default 1,000. */
  maxWaiting?: number;
  /** Milliseconds after which an idle process is closed. Default one minute. */
  idleMs?: number;
}

export interface CodeRequest {
  language: CodeLanguage;
  /** JavaScript: the body of a function, `return` gives the result. Python: so does the value of the last expression. */
  code: string;
  /** By name; each is a constant of the code. */
  inputs: JsonObject;
  /** What random numbers begin with: the same text gives the same numbers. */
  seed: string;
  /** Default 5 s and 64 MiB. */
  limits?: Partial<CodeLimits> | undefined;
  signal?: AbortSignal | undefined;
}

export interface CodeResult {
  result: Json;
  /** The lines that the code has printed. */
  logs: string[];
}

/** Runs code of users in processes of its own. */
export interface Sandbox {
  /**
   * Runs code with its inputs and nothing else: no clock, no network, no files, no environment.
   * @throws OvenError CODE_SYNTAX, CODE_FAILED, CODE_TIMEOUT, CODE_MEMORY, CODE_OUTPUT_TOO_LARGE, CODE_CRASHED, CODE_RESULT_INVALID,
   * CODE_INPUT_INVALID, CODE_BUSY; the reason of `signal` when it is aborted
   */
  run(request: CodeRequest): Promise<CodeResult>;
  /** Ids of the processes that work on code now. */
  pids(): number[];
  /** Ends all processes. Code that runs fails. */
  close(): void;
}

/** A sandbox whose processes start with the first code that is run. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { processes = DEFAULT_PROCESSES, maxWaiting = DEFAULT_WAITING, idleMs = DEFAULT_IDLE_MS } = options;
  const pool = new ProcessPool({ processes, maxWaiting, idleMs });
  return {
    async run(request) {
      const job = toJob(request);
      try {
        const answer = await pool.run(job, job.limits.timeMs + GRACE_MS, request.signal);
        if (answer.type === "failure") throw toOvenError(answer.failure, answer.logs);
        return { result: readResult(answer.resultJson), logs: answer.logs };
      } catch (error) {
        if (error instanceof ProcessEnded) throw ofProcess(error, job);
        throw error;
      }
    },
    pids: () => pool.busy.flatMap(({ pid }) => pid ?? []),
    close: () => pool.close(),
  };
}

function toJob({ language, code, inputs, seed, limits = {} }: CodeRequest): ProcessJob {
  const inputNames = Object.keys(inputs);
  const refused = inputNames.find((name) => !isInputName(name, language));
  if (refused !== undefined)
    throw refuseInput(
      `${JSON.stringify(refused)} cannot be the name of an input`,
      "Name it as a variable, such as order.",
    );
  const inputsJson = JSON.stringify(inputs);
  if (language === "python" && LONE_SURROGATE.test(inputsJson))
    throw refuseInput("An input has half a character (a lone surrogate), which Python here cannot hold", "Remove it.");
  if (Buffer.byteLength(inputsJson) > MAX_DATA_BYTES)
    throw refuseInput(`The inputs are larger than ${MAX_DATA_BYTES} bytes`, "Hand over only what the code reads.");
  if (Buffer.byteLength(code) > MAX_CODE_BYTES)
    throw refuseInput(`The code is larger than ${MAX_CODE_BYTES} bytes`, "Hand data over as inputs.");
  return {
    language,
    code,
    inputNames,
    inputsJson,
    seed: toSeed(seed),
    limits: {
      timeMs: Math.min(limits.timeMs ?? DEFAULT_LIMITS.timeMs, MAX_LIMITS.timeMs),
      memoryMb: Math.min(limits.memoryMb ?? DEFAULT_LIMITS.memoryMb, MAX_LIMITS.memoryMb),
    },
    maxResultBytes: MAX_DATA_BYTES,
    maxLogBytes: MAX_LOG_BYTES,
    maxLogLines: MAX_LOG_LINES,
  };
}

function toSeed(text: string): ProcessJob["seed"] {
  const hash = createHash("sha256").update(text).digest();
  return [hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), hash.readInt32LE(12)];
}

function refuseInput(message: string, fix: string): OvenError {
  return new OvenError("CODE_INPUT_INVALID", message, { status: 422, fix });
}

/** @throws OvenError CODE_RESULT_INVALID, NUMBER_NOT_EXACT */
function readResult(json: string): Json {
  try {
    return parseJson(json, { what: "The result", root: "$.result" });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw toOvenError({ code: "CODE_RESULT_INVALID", message: "The result is no JSON" }, []);
  }
}

function ofProcess({ reason, message }: ProcessEnded, { limits }: ProcessJob): OvenError {
  if (reason === "late")
    return toOvenError({ code: "CODE_TIMEOUT", message: `The code ran longer than ${limits.timeMs} ms` }, []);
  return new OvenError("CODE_CRASHED", "The process that ran the code has ended before the code did", {
    status: 422,
    fix: "Run it again. If it happens each time, the code breaks the interpreter: write it in another way.",
    details: { how: message },
    retryable: true,
  });
}
