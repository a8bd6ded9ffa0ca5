import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import type { CheckJob, CodeJob, Diagnostic, ProcessAnswer } from "../job.ts";
import { computedMs } from "./computed-time.ts";
import { type GuestSettings, prepareGuest, RESULT_MARKS } from "./javascript/guest.ts";
import { toThrownFailure } from "./javascript/thrown.ts";
import { placeIn, type WrappedCode, wrapCode } from "./javascript/wrap-code.ts";
import { JobLogs } from "./job-logs.ts";

const WASM = "@jitl/quickjs-wasmfile-release-sync/wasm";
/** Of the interpreter. The stack of the process (`--stack-size`) is larger, because its own functions need more of it. */
const STACK_BYTES = 512 * 1_024;
/** Reserved beside the memory of the code, so that its failure can be described. */
const SPARE_BYTES = 2 * 1_048_576;
/** Jobs of promises between two looks at the clock. */
const JOBS_AT_ONCE = 1_000;

/** The libraries of types that are used here do not have it. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };

const wasmModule = await WebAssembly.compile(readFileSync(fileURLToPath(import.meta.resolve(WASM))));
const compiled = newVariant(variant as unknown as QuickJSSyncVariant, { wasmModule }); // cast: its types describe another module format

/** Code that ended without a value; `thrown` is what it threw. */
class GuestError extends Error {
  readonly thrown: QuickJSHandle;
  constructor(thrown: QuickJSHandle) {
    super("the code has thrown");
    this.thrown = thrown;
  }
}

/**
 * Runs JavaScript in an instance of QuickJS that is made for this job and thrown away after it: no job finds anything of another.
 * @returns its result or why it has none; it never rejects because of the code
 */
export async function runJavascript(job: CodeJob): Promise<ProcessAnswer> {
  const quickjs = await newQuickJSWASMModuleFromVariant(compiled);
  const runtime = quickjs.newRuntime();
  const logs = new JobLogs(job);
  // Begins with the code: what is prepared before it is never interrupted. On a busy machine the process hardly gets to compute, so what
  // counts is the processor's time, not the clock's.
  let deadline = Number.POSITIVE_INFINITY;
  let isLate = false;
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setMemoryLimit(job.limits.memoryMb * 1_048_576);
  runtime.setInterruptHandler(() => {
    isLate ||= computedMs() > deadline;
    return isLate || logs.isFull;
  });
  const answer = attempt(runtime, job, logs, () => {
    deadline = computedMs() + job.limits.timeMs;
  });
  if (logs.isFull) return logs.tooLarge();
  if (isLate) return logs.late();
  return answer;
}

/** Looks for errors of syntax: the code is compiled and not run. */
export async function checkJavascript({ code, inputNames, limits }: CheckJob): Promise<ProcessAnswer> {
  const quickjs = await newQuickJSWASMModuleFromVariant(compiled);
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setMemoryLimit(limits.memoryMb * 1_048_576);
  const context = runtime.newContext();
  const wrapped = wrapCode(code, inputNames);
  try {
    const { error } = context.evalCode(wrapped.text, wrapped.fileName, { type: "global", compileOnly: true });
    return { type: "checked", diagnostics: error ? [toDiagnostic(context, error, wrapped)] : [], logs: [] };
  } catch (error) {
    return { type: "checked", diagnostics: [{ kind: "syntax", message: ofHost(error).message }], logs: [] };
  }
}

function toDiagnostic(context: QuickJSContext, error: QuickJSHandle, wrapped: WrappedCode): Diagnostic {
  const read = (key: string): string => context.getString(context.getProp(error, key));
  const { line } = placeIn(read("stack"), wrapped) ?? {};
  const message = `${read("name")}: ${read("message")}`;
  return { kind: "syntax", message, ...(line === undefined ? {} : { line }) };
}

function attempt(runtime: QuickJSRuntime, job: CodeJob, logs: JobLogs, startClock: () => void): ProcessAnswer {
  const context = runtime.newContext();
  const call = (fn: QuickJSHandle, ...values: QuickJSHandle[]): QuickJSHandle => {
    const result = context.callFunction(fn, context.undefined, ...values);
    if (result.error) throw new GuestError(result.error);
    return result.value;
  };
  const guest = prepare(context, call, job, logs);
  const describe = context.getProp(guest, "describe");
  const wrapped = wrapCode(job.code, job.inputNames);
  let isParsed = false;
  startClock();
  try {
    const factory = context.evalCode(wrapped.text, wrapped.fileName, { type: "global" });
    if (factory.error) throw new GuestError(factory.error);
    isParsed = true;
    const run = call(factory.value, parseJson(context, call, job.inputsJson));
    const value = settle(context, runtime, call(run), () => logs.isFull);
    if (value === undefined) {
      const message = "The code waits for a promise that never settles";
      const fix = "Resolve every promise that is awaited: there are no timers, no network and no files here.";
      return logs.failed({ code: "CODE_FAILED", message, fix });
    }
    return toAnswer(context.getString(call(context.getProp(guest, "toResult"), value)), logs);
  } catch (error) {
    if (!(error instanceof GuestError)) return logs.failed(ofHost(error));
    runtime.setMemoryLimit(job.limits.memoryMb * 1_048_576 + SPARE_BYTES);
    return logs.failed(toThrownFailure(() => context.getString(call(describe, error.thrown)), wrapped, isParsed));
  }
}

type Call = (fn: QuickJSHandle, ...values: QuickJSHandle[]) => QuickJSHandle;

function prepare(context: QuickJSContext, call: Call, job: CodeJob, logs: JobLogs): QuickJSHandle {
  const source = context.evalCode(`(${prepareGuest.toString()})`, "guest.js", { type: "global" });
  const emit = context.newFunction("emit", (line) => {
    logs.add(context.getString(line));
  });
  const settings: GuestSettings = {
    seed: job.seed,
    maxResultLength: job.maxResultBytes,
    maxLogLength: job.maxLogBytes,
  };
  return call(context.unwrapResult(source), emit, parseJson(context, call, JSON.stringify(settings)));
}

/** By the guest's own JSON.parse, before any code of a user has run. */
function parseJson(context: QuickJSContext, call: Call, json: string): QuickJSHandle {
  return call(context.getProp(context.getProp(context.global, "JSON"), "parse"), context.newString(json));
}

/** What the promise of the code is fulfilled with; undefined: it never settles. @throws GuestError when it is rejected */
function settle(
  context: QuickJSContext,
  runtime: QuickJSRuntime,
  promise: QuickJSHandle,
  isStopped: () => boolean,
): QuickJSHandle | undefined {
  while (runtime.hasPendingJob() && !isStopped()) {
    const jobs = runtime.executePendingJobs(JOBS_AT_ONCE);
    if (jobs.error) throw new GuestError(jobs.error);
  }
  const state = context.getPromiseState(promise);
  if (state.type === "rejected") throw new GuestError(state.error);
  return state.type === "fulfilled" ? state.value : undefined;
}

function toAnswer(marked: string, logs: JobLogs): ProcessAnswer {
  const json = marked.slice(1);
  switch (marked[0]) {
    case RESULT_MARKS.json:
      return logs.done(json);
    case RESULT_MARKS.tooLarge:
      return logs.resultTooLarge();
    default: {
      const { path, message, fix } = JSON.parse(json) as { path: string[]; message: string; fix: string }; // cast: the guest wrote it
      return logs.failed({ code: "CODE_RESULT_INVALID", path, message, fix });
    }
  }
}

/** The stack of the process ended before that of the interpreter, as with code that is nested some thousand levels deep. */
function ofHost(error: unknown): { code: "CODE_FAILED"; name: string; message: string } {
  if (error instanceof RangeError && /call stack/.test(error.message))
    return {
      code: "CODE_FAILED",
      name: "RangeError",
      message: "The code, or its data, is nested or recurses too deeply",
    };
  throw error;
}
