/** One entry of a list in a source file, and where its value comes from. */
export interface ListEntry {
  /** As it stands in the list: `createBillingModule()`. */
  entry: string;
  /** What is imported. */
  value: string;
  from: string;
}

/**
 * The source with one import and one entry more, at the end of its last list. The imports are put in order when it is formatted.
 * @throws Error when the value is imported already, or when there is no list
 */
export function addToList(source: string, { entry, value, from }: ListEntry): string {
  if (new RegExp(`\\b${value}\\b`).test(source)) throw new Error(`${value} is listed already`);
  const end = source.lastIndexOf("];");
  if (end < 0) throw new Error(`there is no list to add ${entry} to`);
  const before = source.slice(0, end).trimEnd();
  const comma = before.endsWith("[") || before.endsWith(",") ? "" : ",";
  return `import { ${value} } from "${from}";\n${before}${comma}\n${entry},\n${source.slice(end)}`;
}
