import { readFileSync } from "node:fs";

/** Linux counts the time of processes in hundredths of a second, on all machines. */
const TICK_MS = 10;

/**
 * Milliseconds that a process has computed, all its threads together.
 * @returns not a number where the machine does not say: anywhere but on Linux, and of a process that is gone
 */
export function computedMsOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Behind the name, which may have spaces in it: the state is the third field, user and system time are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}
