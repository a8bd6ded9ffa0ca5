import { formatWithOptions } from "node:util";

const METHODS = ["debug", "info", "log", "warn", "error"] as const;

/**
 * From now on whatever this process, or a library in it, says on the console has no secrets: those of tenants as
 * `redactText` knows them, and those of the environment.
 * @returns ends that
 */
export function redactConsole(
  redactText: (text: string) => string,
  fromEnvironment: Record<string, string | undefined>,
): () => void {
  const known = Object.entries(fromEnvironment).filter(
    (entry): entry is [string, string] => (entry[1] ?? "").length > 7,
  );
  const clean = (text: string) =>
    known.reduce((rest, [name, value]) => rest.replaceAll(value, `[${name}]`), redactText(text));
  // biome-ignore lint/suspicious/noConsole: this is what is wrapped
  const originals = METHODS.map((method) => [method, console[method]] as const);
  const colors = process.stderr.isTTY === true;
  for (const [method, original] of originals)
    console[method] = (...parts: unknown[]) =>
      original.call(console, "%s", clean(formatWithOptions({ colors }, ...parts)));
  return () => {
    for (const [method, original] of originals) console[method] = original;
  };
}
