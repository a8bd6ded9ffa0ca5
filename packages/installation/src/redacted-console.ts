import { formatWithOptions } from "node:util";
import { currentLogFields, redactionOf } from "@oven/module-registry";
import { OutageLines } from "./outage-lines.ts";

/** What is shorter stands in other words, too. */
const SHORTEST = 8;

const METHODS = ["debug", "info", "log", "warn", "error"] as const;

/** How the console is written: as people read it, or as one line of JSON for each thing that is said. */
export type LogFormat = "text" | "json";

/** One line of a log, with what the present call is about. Without its end. */
export function toLogLine(level: string, message: string, now = new Date()): string {
  return JSON.stringify({ time: now.toISOString(), level, message, ...currentLogFields() });
}

/**
 * From now on whatever this process, or a library in it, says on the console has no secrets: those of tenants as
 * `redactText` knows them, and those of the environment. While the database is away it says so in single lines.
 * @param format `json`: each call is one line of JSON with the run, node and tenant that it is about
 * @returns ends that
 */
export function redactConsole(
  redactText: (text: string) => string,
  fromEnvironment: Record<string, string | undefined>,
  format: LogFormat = "text",
): () => void {
  const known = Object.entries(fromEnvironment).filter(
    (entry): entry is [string, string] => (entry[1] ?? "").length >= SHORTEST,
  );
  const redactEnvironment = redactionOf(Object.fromEntries(known));
  const clean = (text: string) => redactEnvironment(redactText(text));
  // biome-ignore lint/suspicious/noConsole: this is what is wrapped
  const originals = METHODS.map((method) => [method, console[method]] as const);
  const outage = new OutageLines();
  const colors = format === "text" && process.stderr.isTTY === true;
  for (const [method, original] of originals)
    console[method] = (...parts: unknown[]) => {
      const said = outage.shorten(parts);
      if (said === undefined) return;
      const text = clean(formatWithOptions({ colors }, ...said));
      original.call(console, "%s", format === "json" ? toLogLine(method === "log" ? "info" : method, text) : text);
    };
  return () => {
    for (const [method, original] of originals) console[method] = original;
  };
}
