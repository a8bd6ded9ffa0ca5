import { Monty, type ResourceLimits } from "@pydantic/monty";
import type { CodeJob, ProcessAnswer } from "../job.ts";
import type { CodeLimits } from "../limits.ts";
import { computedMs, MOST_WAITING } from "./computed-time.ts";
import { JobLogs } from "./job-logs.ts";
import { toPythonFailure } from "./python/python-failure.ts";
import { NoJsonError, TooLargeError, writeValue } from "./python/write-value.ts";

export const PYTHON_FILE = "code.py";
const MAX_RECURSION = 1_000;
/** Far more than code comes to in its time; the limit of memory counts bytes, this one counts values. */
const MAX_ALLOCATIONS = 50_000_000;

/**
 * Runs Python in an interpreter that is made for this job.
 * @returns its result or why it has none; it never rejects because of the code
 */
export async function runPython(job: CodeJob): Promise<ProcessAnswer> {
  const begun = computedMs();
  const answer = attempt(job, job.limits.timeMs);
  const isLate = answer.type === "failure" && answer.failure.code === "CODE_TIMEOUT";
  if (!isLate || computedMs() - begun >= job.limits.timeMs) return answer;
  // The interpreter goes by the clock, and the machine let it wait. Code has no effects, so it can begin again; the parent process ends it
  // when it has computed for too long.
  return attempt(job, job.limits.timeMs * MOST_WAITING);
}

/**
 * Code can catch that its printing was refused, and print on: each text would take memory of this process until it has none left. The
 * answer is sent at once, and nothing more happens until the parent kills the process.
 */
function answerAndStop(answer: ProcessAnswer): void {
  // Without the lines: only what fits into the pipe is sent while this thread stands still.
  process.send?.({ ...answer, logs: [], isLast: true } satisfies ProcessAnswer);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** What an interpreter may use; it counts for a program that waits and goes on as for one that does not. */
export function toResourceLimits({ timeMs, memoryMb }: CodeLimits): ResourceLimits {
  return {
    maxDurationSecs: timeMs / 1_000,
    maxMemory: memoryMb * 1_048_576,
    maxRecursionDepth: MAX_RECURSION,
    maxAllocations: MAX_ALLOCATIONS,
  };
}

/** Where the interpreter hands what is printed. */
export function printTo(logs: JobLogs): (stream: string, text: string) => void {
  return (_stream, text) => {
    if (logs.isFull) answerAndStop(logs.tooLarge());
    logs.addText(text);
    if (logs.isFull) throw new Error("too much was printed");
  };
}

/** @param clockMs how long it may take by the clock */
function attempt(job: CodeJob, clockMs: number): ProcessAnswer {
  const logs = new JobLogs(job);
  const answer = interpret(job, { ...job.limits, timeMs: clockMs }, logs);
  return logs.isFull ? logs.tooLarge() : answer;
}

function interpret(job: CodeJob, limits: CodeLimits, logs: JobLogs): ProcessAnswer {
  const { inputNames, inputsJson } = job;
  // An interpreter without inputs refuses even an empty object of them.
  const hasInputs = inputNames.length > 0;
  let isParsed = false;
  try {
    const code = new Monty(job.code, { scriptName: PYTHON_FILE, ...(hasInputs ? { inputs: [...inputNames] } : {}) });
    isParsed = true;
    const value: unknown = code.run({
      ...(hasInputs ? { inputs: JSON.parse(inputsJson) } : {}),
      limits: toResourceLimits(limits),
      printCallback: printTo(logs),
    });
    logs.endLine();
    return logs.done(writeValue(value, job.maxResultBytes));
  } catch (error) {
    logs.endLine();
    if (error instanceof TooLargeError) return logs.resultTooLarge();
    if (error instanceof NoJsonError) {
      const { message, fix, path } = error;
      return logs.failed({ code: "CODE_RESULT_INVALID", message, fix, path });
    }
    return toPythonFailure(error, logs, isParsed);
  }
}
