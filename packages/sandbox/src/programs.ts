import type { Json, JsonObject } from "@oven/contract";
import { ask, hasLoneSurrogate, otherAnswer, readResult, toBounds, toInputs } from "./ask-process.ts";
import { toOvenError } from "./code-error.ts";
import type { CallAnswer, CodeLanguage, Diagnostic, ProgramFunction } from "./job.ts";
import { type CodeLimits, MAX_CALLS_AT_ONCE, MAX_CODE_BYTES, MAX_SESSION_BYTES } from "./limits.ts";
import type { ProcessPool } from "./pool/process-pool.ts";

/** The checker loads its types with the first program; on a busy machine that takes seconds. */
const CHECK_MS = 30_000;

export interface ProgramRequest {
  /** Python; each function is awaited, and the value of the last expression or of `return` is the result. */
  code: string;
  functions: readonly ProgramFunction[];
  /** By name; each is a constant of the program. */
  inputs: JsonObject;
  /** Where it goes on, with the answers of the calls at which it waited; or all answers since its beginning, to begin anew. */
  from: { session: string; answers: readonly CallAnswer[] } | { answers: readonly (readonly CallAnswer[])[] };
  /** Of all its parts together; default 5 s and 64 MiB. They count from where it began, so a session keeps its own. */
  limits?: Partial<CodeLimits> | undefined;
  signal?: AbortSignal | undefined;
}

/** A call that a program waits for: one of its functions, with arguments that are not checked. */
export interface ProgramCall {
  name: string;
  arguments: JsonObject;
}

/** How far a program came. `logs` is what it printed on the way. */
export type ProgramStep = { logs: string[] } & (
  | { type: "result"; result: Json }
  /** It waits for all of these; `session` is what it goes on from, in this process or another. */
  | { type: "calls"; calls: ProgramCall[]; session: string }
  /** The session is of another version or damaged: the program can begin anew with the recorded answers. */
  | { type: "unreadable"; message: string }
);

/** Programs that wait for calls in the middle. */
export interface Programs {
  /**
   * Runs a program until it waits for calls, or ends.
   * @throws OvenError as `run` does; CODE_MEMORY also where the program holds more than a session may
   */
  advance(request: ProgramRequest): Promise<ProgramStep>;
  /**
   * Looks for errors of syntax and, in Python, of types, without running anything.
   * @param request.language Python unless set
   * @param request.stubs Python that declares functions and inputs
   * @returns what is wrong, by line; empty: nothing
   * @throws OvenError CODE_TIMEOUT, CODE_CRASHED, CODE_BUSY; the reason of `signal`
   */
  check(request: {
    language?: CodeLanguage | undefined;
    code: string;
    inputNames: readonly string[];
    stubs: string;
    signal?: AbortSignal | undefined;
  }): Promise<Diagnostic[]>;
}

/** `advance` of a sandbox with this pool. */
export async function advanceProgram(pool: ProcessPool, request: ProgramRequest): Promise<ProgramStep> {
  const { code, functions, inputs, from, limits = {}, signal } = request;
  const answers = "session" in from ? [from.answers] : from.answers;
  const job = {
    kind: "program" as const,
    language: "python" as const,
    ...toInputs("python", code, inputs),
    functions,
    ...("session" in from ? { session: from.session } : {}),
    answersJson: JSON.stringify(answers.map((some) => some.map(toPython))),
    maxSessionBytes: MAX_SESSION_BYTES,
    maxCalls: MAX_CALLS_AT_ONCE,
    ...toBounds(limits),
  };
  const answer = await ask(pool, job, signal);
  const { logs } = answer;
  switch (answer.type) {
    case "failure":
      throw toOvenError(answer.failure, logs);
    case "result":
      return { type: "result", result: readResult(answer.resultJson), logs };
    case "unreadable":
      return { type: "unreadable", message: answer.message, logs };
    case "calls":
      return {
        type: "calls",
        calls: answer.calls.map((call) => readCall(call, functions)),
        session: answer.session,
        logs,
      };
    default:
      throw otherAnswer();
  }
}

/** `check` of a sandbox with this pool. */
export async function checkProgram(
  pool: ProcessPool,
  { language = "python", code, inputNames, stubs, signal }: Parameters<Programs["check"]>[0],
): Promise<Diagnostic[]> {
  if (Buffer.byteLength(code) > MAX_CODE_BYTES)
    return [{ kind: "syntax", message: `The code is larger than ${MAX_CODE_BYTES} bytes` }];
  const answer = await ask(
    pool,
    { kind: "check", language, code, inputNames, stubs, ...toBounds({ timeMs: CHECK_MS }) },
    signal,
  );
  if (answer.type !== "checked") throw otherAnswer();
  return answer.diagnostics;
}

/** A process that a program has taken over could name anything. */
function readCall(call: { name: string; argumentsJson: string }, functions: readonly ProgramFunction[]): ProgramCall {
  if (!functions.some(({ name }) => name === call.name)) throw otherAnswer();
  const given = readResult(call.argumentsJson, `What ${call.name} is called with`, "$.arguments");
  if (given === null || typeof given !== "object" || Array.isArray(given)) throw otherAnswer();
  return { name: call.name, arguments: given };
}

function toPython(answer: CallAnswer): CallAnswer {
  if (!hasLoneSurrogate(JSON.stringify(answer))) return answer;
  return { error: "The answer has half a character (a lone surrogate), which Python here cannot hold" };
}
