import { isObject, type Json, type JsonPath, longNumbersAsText, type ReadJson } from "@oven/contract";
import { rewriteJson } from "@oven/module-registry";

/**
 * The way to a provider that sends the arguments of tool calls as objects, which its client rounds when it parses the answer. Arguments
 * with a number that would be changed become the text that they were.
 * @param key of the arguments in an answer
 */
export function exactArgumentsFetch(fetchAnswer: typeof fetch, key: string): typeof fetch {
  return async (input, init) =>
    rewriteJson(await fetchAnswer(input, init), (text) =>
      longNumbersAsText(
        text,
        (path) => path.includes(key),
        (read) => keepAsText(read, key),
      ),
    );
}

function keepAsText({ value, longNumbers }: ReadJson, key: string): void {
  const holders = new Map<Json, JsonPath>();
  for (const { path, text } of longNumbers) {
    // cast: JSON.stringify writes such a number as it stands; the library's types do not have it yet
    set(value, path, (JSON as unknown as { rawJSON(text: string): Json }).rawJSON(text));
    const to = path.slice(0, path.indexOf(key) + 1);
    const holder = get(value, to.slice(0, -1));
    if (holder !== undefined) holders.set(holder, to);
  }
  for (const to of holders.values()) set(value, to, JSON.stringify(get(value, to)));
}

function get(value: Json | undefined, path: JsonPath): Json | undefined {
  let at = value;
  for (const part of path) at = Array.isArray(at) ? at[Number(part)] : isObject(at) ? at[String(part)] : undefined;
  return at;
}

function set(value: Json, path: JsonPath, to: Json): void {
  const holder = get(value, path.slice(0, -1));
  const last = path.at(-1);
  if (Array.isArray(holder)) holder[Number(last)] = to;
  else if (isObject(holder)) holder[String(last)] = to;
}
