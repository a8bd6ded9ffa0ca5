import type { Progress } from "@oven/db/backup";

const EVERY_MS = 2_000;
const MEGABYTE = 1_000_000;

/** Writes a line now and then: at most one in two seconds. */
export function progressLines(write: (text: string) => void, now: () => number = Date.now) {
  let last = now();
  return (text: string): void => {
    if (now() - last < EVERY_MS) return;
    last = now();
    write(`${text}\n`);
  };
}

export function progressText({ table, position, tables, rows }: Progress): string {
  return `table ${position} of ${tables} (${table}), ${rows.toLocaleString("en")} rows`;
}

export function toMegabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
