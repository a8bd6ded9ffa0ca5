import type { Json } from "@oven/contract";
import { isOvenError, parseJson } from "@oven/contract";
import { toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { checkedCel } from "./states-cel.ts";
import type { CodeFunction, StateCode } from "./states-code.ts";
import { celOf, type Place, pathOf } from "./states-paths.ts";

/** What is written where a path or a function may stand. */
export type Written =
  | { kind: "path"; text: string }
  | { kind: "text"; raw: string }
  | { kind: "value"; value: number | boolean | null }
  | { kind: "call"; name: string; given: Written[] };

/** Reads a path of the state's data. */
interface Reader {
  value(path: string): Json;
  cel(path: string): string;
  /** Takes what CEL does not have; undefined: the state has no place for code. */
  readonly code: StateCode | undefined;
}

const SPACE = /\s*/y;
const TEXT = /'((?:[^'\\]|\\.)*)'/sy;
const PATH = /\$(?:[^,()\s'[]|\[(?:'[^']*'|"[^"]*"|[^\]'"]*)\])*/y;
const NAME = /States\.[A-Za-z0-9]+(?=\s*\()/y;
const VALUE = /(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,)])/y;

/** `States.Format('{}', $.a)`, read whole. @throws NoEquivalent */
export function readIntrinsic(text: string): Written {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at += match[0].length;
    return match;
  };
  const fail = (): never => {
    throw new NoEquivalent(`${text} cannot be read as a path or an intrinsic function`);
  };
  const one = (depth: number): Written => {
    if (depth > 10) fail();
    take(SPACE);
    const written = take(TEXT);
    if (written !== null) return { kind: "text", raw: written[1] ?? "" };
    const path = take(PATH);
    if (path !== null) return { kind: "path", text: path[0] };
    const value = take(VALUE);
    if (value !== null) return { kind: "value", value: numberOf(value[0]) };
    const name = take(NAME)?.[0] ?? fail();
    take(/\s*\(\s*/y);
    const given: Written[] = [];
    if (take(/\)/y) !== null) return { kind: "call", name, given };
    do given.push(one(depth + 1));
    while (take(/\s*,/y) !== null);
    if (take(/\s*\)/y) === null) fail();
    return { kind: "call", name, given };
  };
  const result = one(0);
  take(SPACE);
  return at === text.length ? result : fail();
}

function numberOf(text: string): number | boolean | null {
  try {
    const value = parseJson(text);
    return typeof value === "number" || typeof value === "boolean" ? value : null;
  } catch (error) {
    if (isOvenError(error) || error instanceof SyntaxError) throw new NoEquivalent(`${text} is no number here`);
    throw error;
  }
}

const plain = (raw: string): string => raw.replaceAll(/\\(.)/gs, "$1");

/** As a value of ours: a path, a literal, a list of these, or computed. @throws NoEquivalent */
export function valueOfIntrinsic(written: Written, reader: Reader): Json {
  if (written.kind === "path") return reader.value(written.text);
  if (written.kind === "text") return toLiteral(plain(written.raw));
  if (written.kind === "value") return written.value;
  const { name, given } = written;
  if (name === "States.Array") return given.map((one) => valueOfIntrinsic(one, reader));
  if (name === "States.JsonToString") {
    const [path, ...more] = given;
    const value = path?.kind === "path" && more.length === 0 ? reader.value(path.text) : null;
    if (typeof value !== "string") throw unknown(name, "of what is computed");
    return `${value} | json`;
  }
  const coded = placeOfCode(name, given, reader);
  return coded === undefined ? { $cel: checkedCel(celIntrinsic(written, reader)) } : pathOf(coded);
}

/** Where the result of a function that runs as code is; undefined: it is another one. @throws NoEquivalent */
function placeOfCode(name: string, given: readonly Written[], reader: Reader): Place | undefined {
  const { code } = reader;
  const values = (list: readonly Written[]) => {
    if (code === undefined || list.some(isCoded)) throw unknown(name, "within another one, or in such a state,");
    return { code, list: list.map((one) => valueOfIntrinsic(one, reader)) };
  };
  if (name === "States.JsonMerge") {
    const [one, two, isDeep] = given;
    if (one === undefined || two === undefined || isDeep?.kind !== "value" || isDeep.value !== false)
      throw unknown(name, "without false as its third argument");
    const { code: step, list } = values([one, two]);
    return step.call("merge", list);
  }
  const coded = Object.hasOwn(CODED, name) ? CODED[name] : undefined;
  if (coded === undefined) return undefined;
  if (given.length !== coded.takes) throw unknown(name, `with ${given.length} arguments`);
  const { code: step, list } = values(given);
  return step.call(coded.call, list);
}

/** Functions that run as code, beside JsonMerge. */
const CODED: Readonly<Record<string, { call: CodeFunction; takes: number }>> = {
  "States.ArrayPartition": { call: "partition", takes: 2 },
  "States.StringSplit": { call: "split", takes: 2 },
  "States.ArrayUnique": { call: "unique", takes: 1 },
};

const isCoded = (written: Written): boolean =>
  written.kind === "call" &&
  (written.name === "States.JsonMerge" || Object.hasOwn(CODED, written.name) || written.given.some(isCoded));

/** In CEL. @throws NoEquivalent */
export function celIntrinsic(written: Written, reader: Reader): string {
  if (written.kind === "path") return reader.cel(written.text);
  if (written.kind === "text") return JSON.stringify(plain(written.raw));
  if (written.kind === "value") return celNumber(written.value);
  const { name, given } = written;
  const coded = placeOfCode(name, given, reader);
  if (coded !== undefined) return celOf(coded);
  const write = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (write === undefined) throw unknown(name);
  return write(given, (one) => celIntrinsic(one, reader));
}

const unknown = (name: string, what = ""): NoEquivalent =>
  new NoEquivalent(`the intrinsic function ${name}${what === "" ? "" : ` ${what}`} has no exact equivalent`);

const celNumber = (value: number | boolean | null): string =>
  typeof value === "number" && Number.isInteger(value) && !String(value).includes("e") ? `${value}.0` : String(value);

type Write = (given: readonly Written[], cel: (one: Written) => string) => string;

/** With exactly so many arguments. */
const taking =
  (name: string, count: number, write: (...values: string[]) => string): Write =>
  (given, cel) => {
    if (given.length !== count) throw unknown(name, `with ${given.length} arguments`);
    return write(...given.map((one) => (one.kind === "path" ? cel(one) : `dyn(${cel(one)})`)));
  };

/** An object is no list here: added to one it is an error. */
const list = (value: string): string => `(${value} + [])`;

const rounded = (value: string): string => `int(${value} + (${value} < 0.0 ? -0.5 : 0.5))`;

/** Functions that CEL says exactly; their arguments are of the types that they are specified for, or the run fails. */
const FUNCTIONS: Readonly<Record<string, Write>> = {
  "States.Format": formatted,
  "States.StringToJson": taking("States.StringToJson", 1, (text) => `bytes(${text}).json()`),
  "States.Array": (given, cel) => `[${given.map((one) => `dyn(${cel(one)})`).join(", ")}]`,
  "States.ArrayContains": taking("States.ArrayContains", 2, (values, one) => `(${one} in ${list(values)})`),
  "States.ArrayGetItem": taking("States.ArrayGetItem", 2, (values, index) => `${list(values)}[int(${index})]`),
  "States.ArrayLength": taking("States.ArrayLength", 1, (values) => `size(${list(values)})`),
  "States.ArrayRange": range,
  "States.MathAdd": taking("States.MathAdd", 2, (one, two) => `(${rounded(one)} + ${rounded(two)})`),
  "States.Base64Encode": taking("States.Base64Encode", 1, (text) => `bytes(${text}).base64()`),
};

/** Each `{}` takes the next argument; `\{` and `\}` are braces. */
function formatted([template, ...given]: readonly Written[], cel: (one: Written) => string): string {
  if (template?.kind !== "text") throw unknown("States.Format", "with a template that is computed");
  const parts: string[] = [];
  let text = "";
  let taken = 0;
  for (const [token] of template.raw.matchAll(/\\.|\{\}|[^\\{]+|\{/gs)) {
    if (token !== "{}") {
      text += token.startsWith("\\") ? token.slice(1) : token;
      continue;
    }
    const one = given[taken];
    if (one === undefined) throw unknown("States.Format", "with too few arguments");
    taken += 1;
    if (one.kind === "text" || one.kind === "value") {
      text += one.kind === "text" ? plain(one.raw) : String(one.value);
      continue;
    }
    if (text !== "") parts.push(JSON.stringify(text));
    text = "";
    const value = one.kind === "path" ? cel(one) : `dyn(${cel(one)})`;
    parts.push(`(${value} == null ? "null" : string(${value}))`);
  }
  if (taken !== given.length) throw unknown("States.Format", "with too many arguments");
  if (text !== "" || parts.length === 0) parts.push(JSON.stringify(text));
  return `(${parts.join(" + ")})`;
}

/** Numbers from one to another, both among them. */
function range(given: readonly Written[]): string {
  const [from, to, step] = given.map((one) =>
    one.kind === "value" && typeof one.value === "number" ? one.value : Number.NaN,
  );
  if (given.length !== 3 || from === undefined || to === undefined || step === undefined)
    throw unknown("States.ArrayRange", `with ${given.length} arguments`);
  const count = Math.floor((to - from) / step) + 1;
  if (![from, to, step].every(Number.isInteger) || step === 0 || count > 1_000 || count < 1)
    throw unknown("States.ArrayRange", "of what is computed");
  return `[${Array.from({ length: count }, (_, index) => celNumber(from + index * step)).join(", ")}]`;
}
