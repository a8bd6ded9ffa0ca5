import type { ProcessAnswer, ProcessJob } from "../job.ts";
import { checkProgram } from "./python/check-program.ts";
import { runProgram } from "./run-program.ts";
import { runPython } from "./run-python.ts";

/** Does what a job of Python asks for; it never rejects because of the code. */
export async function answerPython(job: ProcessJob): Promise<ProcessAnswer> {
  switch (job.kind) {
    case "code":
      return runPython(job);
    case "program":
      return runProgram(job);
    case "check":
      return checkProgram(job);
  }
}
