import { Monty, MontyComplete, MontyNameLookup, MontySnapshot } from "@pydantic/monty";
import type { CallAnswer, ProcessAnswer, ProgramJob } from "../job.ts";
import { computedMs, MOST_WAITING } from "./computed-time.ts";
import { JobLogs } from "./job-logs.ts";
import { OpenCalls } from "./python/open-calls.ts";
import { ASK, preludeOf, REGISTER } from "./python/prelude.ts";
import { toPythonFailure } from "./python/python-failure.ts";
import { readSession, type Session, UnreadableSession, writeSession } from "./python/session.ts";
import { NoJsonError, TooLargeError, writeValue } from "./python/write-value.ts";
import { PYTHON_FILE, printTo, toResourceLimits } from "./run-python.ts";

type Paused = MontySnapshot | MontyNameLookup | MontyComplete;

/** Where the program stands, and with what. */
interface Run {
  job: ProgramJob;
  logs: JobLogs;
  calls: OpenCalls;
  /** Lists of answers that the program has not asked for yet. */
  answers: CallAnswer[][];
  printed: number;
  /** Milliseconds that the parts before this one have computed, and what the thread had when this one began. */
  computed: number;
  begun: number;
}

/**
 * Runs a program until it waits for answers that are not there yet, or ends.
 * @returns its calls, its result or why it has none; it never rejects because of the code
 */
export function runProgram(job: ProgramJob): ProcessAnswer {
  const before = preludeOf(job).lines;
  let logs = new JobLogs(job);
  let isParsed = false;
  try {
    const session = job.session === undefined ? undefined : readSession(job.session);
    const printed = session?.printed ?? 0;
    logs = new JobLogs({ ...job, maxLogBytes: Math.max(0, job.maxLogBytes - printed) });
    const answers = JSON.parse(job.answersJson) as CallAnswer[][]; // cast: the pool has written it
    const run: Run = {
      ...{ job, logs, calls: new OpenCalls(session?.calls), answers, printed },
      ...{ computed: session?.computed ?? 0, begun: computedMs() },
    };
    const begin = session === undefined ? start(run) : () => load(session, logs);
    isParsed = true;
    const paused = begin();
    const answer = advance(run, paused);
    return logs.isFull ? logs.tooLarge() : answer;
  } catch (error) {
    logs.endLine();
    if (logs.isFull) return logs.tooLarge();
    if (error instanceof UnreadableSession) return { type: "unreadable", message: error.message, logs: [] };
    if (error instanceof TooLargeError) return logs.resultTooLarge();
    if (error instanceof NoJsonError) {
      const { message, fix, path } = error;
      return logs.failed({ code: "CODE_RESULT_INVALID", message, fix, path });
    }
    return toPythonFailure(error, logs, isParsed, before);
  }
}

/** Reads the program; what it answers begins to run it. */
function start({ job, logs }: Run): () => Paused {
  const { code, inputNames, inputsJson, limits } = job;
  const hasInputs = inputNames.length > 0;
  const options = { scriptName: PYTHON_FILE, ...(hasInputs ? { inputs: [...inputNames] } : {}) };
  // By itself first: the lines of its syntax errors are the author's then.
  new Monty(code, options);
  const program = new Monty(preludeOf(job).text + code, options);
  return () =>
    program.start({
      ...(hasInputs ? { inputs: JSON.parse(inputsJson) } : {}),
      // By the clock, of all parts together; what they compute is counted where they wait.
      limits: toResourceLimits({ ...limits, timeMs: limits.timeMs * MOST_WAITING }),
      printCallback: printTo(logs),
    });
}

/** @throws UnreadableSession */
function load({ snapshot }: Session, logs: JobLogs): MontySnapshot {
  try {
    return MontySnapshot.load(Buffer.from(snapshot, "base64"), { printCallback: printTo(logs) });
  } catch (cause) {
    throw new UnreadableSession(cause instanceof Error ? cause.message : String(cause));
  }
}

function advance(run: Run, first: Paused): ProcessAnswer {
  let paused = first;
  for (;;) {
    if (paused instanceof MontyComplete) {
      run.logs.endLine();
      return run.logs.done(writeValue(paused.output, run.job.maxResultBytes));
    }
    // Names that are not there raise what Python raises.
    if (paused instanceof MontyNameLookup) paused = paused.resume({});
    else {
      const next = answerCall(run, paused);
      if (next === undefined) return wait(run, paused);
      paused = next;
    }
  }
}

/** Goes on behind a call; undefined: it waits for answers that are not there yet. */
function answerCall(run: Run, paused: MontySnapshot): Paused | undefined {
  const { calls, job } = run;
  switch (paused.functionName) {
    case REGISTER: {
      const [name, args, named] = paused.args;
      const registered = calls.register(job, name, args, named);
      return paused.resume(
        "index" in registered
          ? { returnValue: registered.index }
          : { exception: { type: "TypeError", message: registered.refused } },
      );
    }
    case ASK: {
      const index = Number(paused.args[0]);
      if (calls.isOpen(index)) {
        const next = run.answers.shift();
        if (next === undefined) return undefined;
        calls.answer(next);
      }
      const answer = calls.take(index);
      return paused.resume(
        "value" in answer
          ? { returnValue: answer.value }
          : { exception: { type: "RuntimeError", message: answer.error } },
      );
    }
    default:
      return paused.resume({ exception: { type: "NameError", message: missing(job.code, paused.functionName) } });
  }
}

/** What the interpreter says of a name, with the one case that surprises people who know Python. */
function missing(code: string, name: string): string {
  const isLater = new RegExp(`\\bdef ${name}\\b`).test(code);
  return `name '${name}' is not defined${isLater ? " here: define a function above those that call it" : ""}`;
}

function wait({ calls, job, logs, printed, computed, begun }: Run, paused: MontySnapshot): ProcessAnswer {
  const all = computed + computedMs() - begun;
  if (all > job.limits.timeMs) return logs.late();
  const open = calls.open();
  if (open.length > job.maxCalls)
    return logs.failed({
      code: "CODE_FAILED",
      message: `The program waits for ${open.length} calls at once; ${job.maxCalls} may be`,
      fix: "Wait for them in smaller groups.",
    });
  const session = writeSession({
    calls: calls.toState(),
    printed: printed + logs.bytes,
    computed: all,
    snapshot: paused.dump().toString("base64"),
  });
  if (session.length > job.maxSessionBytes)
    return logs.failed({
      code: "CODE_MEMORY",
      message: `The program holds more than ${job.maxSessionBytes} bytes while it waits for a call`,
      fix: "Hold less at a time: only the fields that are needed later.",
    });
  return { type: "calls", calls: open, session, logs: [...logs.lines] };
}
