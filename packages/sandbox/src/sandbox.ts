import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@oven/contract";
import { ask, otherAnswer, readResult, toBounds, toInputs } from "./ask-process.ts";
import { toOvenError } from "./code-error.ts";
import type { CodeJob, CodeLanguage } from "./job.ts";
import type { CodeLimits } from "./limits.ts";
import { ProcessPool } from "./pool/process-pool.ts";
import { advanceProgram, checkProgram, type Programs } from "./programs.ts";

const DEFAULT_PROCESSES = 2;
const DEFAULT_WAITING = 1_000;
const DEFAULT_IDLE_MS = 60_000;

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
export interface Sandbox extends Programs {
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
      const answer = await ask(pool, toJob(request), request.signal);
      if (answer.type === "failure") throw toOvenError(answer.failure, answer.logs);
      if (answer.type !== "result") throw otherAnswer();
      return { result: readResult(answer.resultJson), logs: answer.logs };
    },
    advance: (request) => advanceProgram(pool, request),
    check: (request) => checkProgram(pool, request),
    pids: () => pool.busy.flatMap(({ pid }) => pid ?? []),
    close: () => pool.close(),
  };
}

function toJob({ language, code, inputs, seed, limits = {} }: CodeRequest): CodeJob {
  return { kind: "code", language, ...toInputs(language, code, inputs), seed: toSeed(seed), ...toBounds(limits) };
}

function toSeed(text: string): CodeJob["seed"] {
  const hash = createHash("sha256").update(text).digest();
  return [hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), hash.readInt32LE(12)];
}
