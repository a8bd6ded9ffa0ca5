/** A list of the form `= [ … ];` with one import and one entry more. */
export function withEntry(list: string, path: string, { variable, from }: { variable: string; from: string }): string {
  if (new RegExp(`\\b${variable}\\b`).test(list)) throw new Error(`${path} lists ${variable} already`);
  const [, entries] = /= \[([^\]]*)\];/.exec(list) ?? [];
  if (entries === undefined) throw new Error(`${path} has no list of the form = [ … ];`);
  const more = [...entries.split(",").map((entry) => entry.trim()), variable].filter((entry) => entry !== "");
  return `import { ${variable} } from "${from}";\n${list.replace(`= [${entries}];`, `= [${more.join(", ")}];`)}`;
}
