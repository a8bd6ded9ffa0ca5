import type { ProgramJob } from "../../job.ts";

/** Notes a call; the interpreter stops here and goes on at once. */
export const REGISTER = "_oven_call";
/** Asks for the answer of a call; the program waits here. */
export const ASK = "_oven_answer";

/**
 * What stands before a program: each function notes its call and gives what waits for the answer, so calls that are written before the
 * first `await` are made together. Short, because it is part of each snapshot: only functions that the program names are in it.
 */
export function preludeOf({ code, functions }: Pick<ProgramJob, "code" | "functions">): {
  text: string;
  /** Lines of it. */
  lines: number;
} {
  const named = functions.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(code));
  const lines = [
    `async def _oven_wait(i): return ${ASK}(i)`,
    ...named.map(({ name }) => `def ${name}(*a, **k): return _oven_wait(${REGISTER}("${name}", a, k))`),
  ];
  return { text: `${lines.join("\n")}\n`, lines: lines.length };
}
