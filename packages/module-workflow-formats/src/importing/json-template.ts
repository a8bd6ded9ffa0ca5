import { isOvenError, type Json, type JsonObject, parseJson } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { insideText, toLiteral } from "./literals.ts";
import { NoEquivalent } from "./no-equivalent.ts";

/** Marks a variable that stands in place of a whole value: no document has this character. */
const BARE = "\u{F0000}";

interface Filled {
  value: Json;
  /** A variable stands without quotes: it is sent as its value. */
  isBare: boolean;
}

/**
 * JSON whose texts may name variables, also in place of values.
 * @param variable a variable of the other product, such as `/\{\{[^{}]+\}\}/`
 * @param template a text with such variables as one of ours
 * @returns undefined where the text is no JSON without its variables
 * @throws NoEquivalent
 */
export function fillJson(text: string, variable: RegExp, template: (text: string) => Json): Filled | undefined {
  const hasVariable = (value: string) => value.search(variable) >= 0;
  const fill = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(fill);
    if (isObject(value)) {
      const result: JsonObject = {};
      for (const [key, child] of Object.entries(value)) {
        if (hasVariable(key)) throw new NoEquivalent(`the name ${key} in its body is computed`);
        setOwn(result, key, fill(child));
      }
      return result;
    }
    if (typeof value !== "string") return value;
    if (value.startsWith(BARE)) return template(value.slice(BARE.length));
    return hasVariable(value) ? insideText(template(value)) : toLiteral(value);
  };
  let isBare = false;
  // Variables that stand outside of quotes get some.
  const tokens = new RegExp(String.raw`"(?:[^"\\]|\\.)*"|(${variable.source})`, "g");
  const quoted = text.replaceAll(tokens, (all, bare?: string) => {
    if (bare === undefined) return all;
    isBare = true;
    return JSON.stringify(BARE + bare);
  });
  let parsed: Json;
  try {
    parsed = parseJson(quoted);
  } catch (cause) {
    if (isOvenError(cause)) throw new NoEquivalent(cause.message);
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
  return { value: fill(parsed), isBare };
}
