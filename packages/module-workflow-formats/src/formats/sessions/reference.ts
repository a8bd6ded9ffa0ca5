import { isOvenError, type Json, readJson } from "@oven/contract";

/** `@{SESSION_ID}.step[index].field|default` */
export interface Reference {
  /** As written, with its default. */
  source: string;
  /** What stands between the braces; `SESSION_ID` is the session itself. */
  session: string;
  step: string;
  /** Position in the kept outputs, oldest first; negative: from the end. */
  index: number;
  field: (string | number)[];
  /** Undefined: there is none, and the value is required. */
  fallback: { value: Json } | undefined;
}

export const OWN_SESSION = "SESSION_ID";

/** Text and references in turn. `whole`: the text is one reference and nothing else, and keeps its type. */
export interface ReferencedText {
  parts: (string | Reference)[];
  whole: Reference | undefined;
  /** Where `@{` stands without being a reference. */
  unreadable: string[];
}

const REFERENCE =
  /@\{([^{}\n]*)\}\.([A-Za-z_][A-Za-z0-9_-]*)(?:\[(-?\d{1,9})\])?((?:\.[A-Za-z0-9_-]+|\[-?\d{1,9}\]|\["(?:[^"\\]|\\.)*"\])*)/y;
const FIELD = /\.([A-Za-z0-9_-]+)|\[(-?\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g;
/** What ends a default within a text; a `|` is taken away with it. */
const DEFAULT_ENDS = /[|\n.,;!?)\]}"<]|@\{/;

/** `\@{` is a literal `@{`. */
export function splitReferences(text: string): ReferencedText {
  const parts: (string | Reference)[] = [];
  const unreadable: string[] = [];
  let literal = "";
  let at = 0;
  while (at < text.length) {
    if (text.startsWith("\\@{", at)) {
      literal += "@{";
      at += 3;
      continue;
    }
    if (!text.startsWith("@{", at)) {
      literal += text[at];
      at += 1;
      continue;
    }
    REFERENCE.lastIndex = at;
    const match = REFERENCE.exec(text);
    if (match === null) {
      unreadable.push(text.slice(at, at + 40));
      literal += "@{";
      at += 2;
      continue;
    }
    const end = REFERENCE.lastIndex;
    const [fallback, after] = readDefault(text, end, at === 0);
    parts.push(literal, toReference(match, text.slice(at, after), fallback));
    literal = "";
    at = after;
  }
  parts.push(literal);
  const shown = parts.filter((part) => part !== "");
  const [only] = shown;
  return { parts: shown, whole: shown.length === 1 && typeof only === "object" ? only : undefined, unreadable };
}

/** The default behind a reference, and where it ends. Of a reference that begins its text it is all that follows. */
function readDefault(text: string, start: number, isFirst: boolean): [string | undefined, number] {
  if (text[start] !== "|") return [undefined, start];
  const rest = text.slice(start + 1);
  const closing = rest.indexOf("|");
  if (isFirst && closing < 0 && !rest.includes("@{")) return [rest, text.length];
  const end = rest.search(DEFAULT_ENDS);
  if (end < 0) return [rest, text.length];
  if (rest[end] === "|") return [rest.slice(0, end), start + 2 + end];
  const told = rest.slice(0, end).trimEnd();
  return [told, start + 1 + told.length];
}

function toReference(match: RegExpExecArray, source: string, fallback: string | undefined): Reference {
  const [, session = "", step = "", index, field = ""] = match;
  return {
    source,
    session,
    step,
    index: index === undefined ? -1 : Number(index),
    field: [...field.matchAll(FIELD)].map(([, key, position, quoted]) => {
      if (position !== undefined) return Number(position);
      if (quoted !== undefined) return readJson(quoted).value as string; // cast: the pattern matches only a JSON string
      return /^\d+$/.test(key ?? "") ? Number(key) : (key ?? "");
    }),
    fallback: fallback === undefined ? undefined : { value: toDefault(fallback) },
  };
}

/** JSON where it is some, else the text; a number that would be changed is text. */
function toDefault(text: string): Json {
  try {
    return readJson(text).value;
  } catch (error) {
    if (!(error instanceof SyntaxError || isOvenError(error))) throw error;
    return text;
  }
}
