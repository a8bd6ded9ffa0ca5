import { type ChildProcess, fork } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { CodeLanguage, ProcessAnswer, ProcessJob } from "../job.ts";
import { MAX_CALLS_AT_ONCE, MAX_SESSION_BYTES } from "../limits.ts";
import { MOST_WAITING } from "../process/computed-time.ts";
import { computedMsOf } from "./computed-ms-of.ts";
import { readablePaths } from "./readable-paths.ts";

const MAIN = fileURLToPath(new URL("../process/main.ts", import.meta.url));
/** All of the process's code: its part of the source, or of the build the folder that was made for it. */
const CODE = MAIN.endsWith(".ts") ? dirname(dirname(MAIN)) : dirname(MAIN);
/** MiB of the process itself; what code holds is beside it, in the memory of the interpreter. */
const HEAP_MB = 192;
/** KiB. Below the usual 8 MiB of an operating system, and above what the interpreter's own stack needs. */
const STACK_KB = 6_000;
/** A machine that does nothing else starts one in a tenth of a second. */
const START_MS = 30_000;

/** All of it: the time zone would otherwise be read from a file. */
export const PROCESS_ENVIRONMENT = { TZ: "UTC" } as unknown as NodeJS.ProcessEnv; // cast: a package declares a variable that this process has not

/** The arguments of Node for a process of a language: what it may do, and how much it may use. */
export function codeProcessArguments(language: CodeLanguage): string[] {
  return [
    "--permission",
    "--allow-worker",
    // Its interpreter is a library of the machine's own code.
    ...(language === "python" ? ["--allow-addons"] : []),
    ...readablePaths(language, CODE).map((path) => `--allow-fs-read=${path}`),
    "--disallow-code-generation-from-strings",
    `--max-old-space-size=${HEAP_MB}`,
    `--stack-size=${STACK_KB}`,
  ];
}

const FailureSchema = z.object({
  code: z.enum([
    "CODE_SYNTAX",
    "CODE_FAILED",
    "CODE_TIMEOUT",
    "CODE_MEMORY",
    "CODE_OUTPUT_TOO_LARGE",
    "CODE_RESULT_INVALID",
  ]),
  message: z.string(),
  name: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
  traceback: z.string().optional(),
  path: z.array(z.union([z.string(), z.number()])).optional(),
  fix: z.string().optional(),
});
const shared = { logs: z.array(z.string()), isLast: z.literal(true).optional() };
/** A process that code has taken over could send anything. */
const AnswerSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("result"), resultJson: z.string(), ...shared }),
  z.object({ type: z.literal("failure"), failure: FailureSchema, ...shared }),
  z.object({
    type: z.literal("calls"),
    calls: z.array(z.object({ name: z.string(), argumentsJson: z.string() })).max(MAX_CALLS_AT_ONCE),
    session: z.string().max(MAX_SESSION_BYTES),
    ...shared,
  }),
  z.object({ type: z.literal("unreadable"), message: z.string(), ...shared }),
  z.object({
    type: z.literal("checked"),
    diagnostics: z.array(z.object({ kind: z.enum(["syntax", "type"]), message: z.string(), line: z.int().optional() })),
    ...shared,
  }),
]);

/** Why a process has answered nothing. */
export class ProcessEnded extends Error {
  readonly reason: "late" | "ended";
  constructor(reason: "late" | "ended", how: string) {
    super(how);
    this.reason = reason;
  }
}

/** One process that runs code: one job at a time, and it is killed where a job does not end. */
export class CodeProcess {
  readonly language: CodeLanguage;
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  #settle: ((message: unknown) => void) | undefined;
  #fail: ((error: ProcessEnded) => void) | undefined;
  #isAlive = true;

  constructor(language: CodeLanguage) {
    this.language = language;
    this.#child = fork(MAIN, [language], {
      execArgv: codeProcessArguments(language),
      env: PROCESS_ENVIRONMENT,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child.on("message", (message) => this.#settle?.(message));
    this.#child.on("exit", (code, signal) => this.#end(`exit code ${code}, signal ${signal}`));
    this.#child.on("error", (error) => this.#end(error.message));
    this.#ready = this.#next(START_MS, { reason: "ended", computes: false }).then(() => undefined);
    // A failure of the start is the failure of the first job.
    this.#ready.catch(() => undefined);
  }

  /** Whether it can take a job. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Runs one job; not more than one at a time.
   * @param timeoutMs that the process may compute before it is killed, from when it takes the job; where the machine does not say how long it
   * computes, by the clock
   * @throws ProcessEnded
   */
  async run(job: ProcessJob, timeoutMs: number): Promise<ProcessAnswer> {
    this.#child.ref();
    this.#child.channel?.ref();
    try {
      await this.#ready;
      const answer = this.#next(timeoutMs, { reason: "late", computes: true });
      this.#child.send(job, (error) => {
        if (error !== null) this.#end(error.message);
      });
      const parsed = AnswerSchema.safeParse(await answer);
      if (!parsed.success || parsed.data.isLast) this.kill();
      if (parsed.success) return parsed.data;
      throw new ProcessEnded("ended", "it answered something else than asked for");
    } finally {
      // While it has nothing to do, it does not keep the server.
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  kill(): void {
    this.#end("it was stopped");
    this.#child.kill("SIGKILL");
  }

  /** @param given why nothing came when the time is over, and whether it is the time that the process computes */
  #next(
    timeoutMs: number,
    { reason, computes }: { reason: ProcessEnded["reason"]; computes: boolean },
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const [begunAt, begun] = [performance.now(), computedMsOf(this.pid)];
      const end = () => {
        this.#fail?.(new ProcessEnded(reason, `no answer after ${timeoutMs} ms`));
        this.kill();
      };
      const look = () => {
        const left = timeoutMs - (computedMsOf(this.pid) - begun);
        const isWaiting = left > 0 && performance.now() - begunAt < timeoutMs * MOST_WAITING;
        if (!computes || !isWaiting) return end();
        timer = setTimeout(look, left);
      };
      let timer = setTimeout(look, timeoutMs);
      const finish = <T>(act: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer);
          this.#settle = undefined;
          this.#fail = undefined;
          act(value);
        };
      };
      this.#settle = finish(resolve);
      this.#fail = finish(reject);
      if (!this.#isAlive) this.#fail(new ProcessEnded("ended", "it had ended before"));
    });
  }

  #end(how: string): void {
    this.#isAlive = false;
    this.#fail?.(new ProcessEnded("ended", how));
  }
}
