import { formatWithOptions } from "node:util";
import { redactionOf } from "@oven/module-registry";
import { OutageLines } from "./outage-lines.ts";

/** What is shorter stands in other words, too. */
const SHORTEST = 8;

const METHODS = ["debug", "info", "log", "warn", "error"] as const;

/**
 * From now on whatever this process, or a library in it, says on the console has no secrets: those of tenants as
 * `redactText` knows them, and those of the environment. While the database is away it says so in single lines.
 * @returns ends that
 */
export function redactConsole(
  redactText: (text: string) => string,
  fromEnvironment: Record<string, string | undefined>,
): () => void {
  const known = Object.entries(fromEnvironment).filter(
    (entry): entry is [string, string] => (entry[1] ?? "").length >= SHORTEST,
  );
  const redactEnvironment = redactionOf(Object.fromEntries(known));
  const clean = (text: string) => redactEnvironment(redactText(text));
  // biome-ignore lint/suspicious/noConsole: this is what is wrapped
  const originals = METHODS.map((method) => [method, console[method]] as const);
  const outage = new OutageLines();
  const colors = process.stderr.isTTY === true;
  for (const [method, original] of originals)
    console[method] = (...parts: unknown[]) => {
      const said = outage.shorten(parts);
      if (said !== undefined) original.call(console, "%s", clean(formatWithOptions({ colors }, ...said)));
    };
  return () => {
    for (const [method, original] of originals) console[method] = original;
  };
}
