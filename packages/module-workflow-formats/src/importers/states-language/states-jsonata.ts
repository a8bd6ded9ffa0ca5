import type { Json, JsonObject } from "@oven/contract";
import type { Action, Guard, Operator } from "@oven/contract/workflow";
import { isObject, setOwn } from "@oven/engine";
import { toLiteral, toPath } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { StateData } from "./states-data.ts";
import { type Place, pathOf, type Segment } from "./states-paths.ts";

const EXPRESSION = /^\{%(.*)%\}$/s;
const TOKEN =
  /\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?)(?![\w.])|(\$(?:[A-Za-z_]\w*)?|[A-Za-z_]\w*)|(!=|<=|>=|[=<>().[\]]|`[^`]*`))/y;
const COMPARED: Record<string, Operator> = { "=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=" };
const FLIPPED: Record<string, string> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const NAMED: Record<string, Json> = { true: true, false: false, null: null };

type Expression = { kind: "place"; place: Place } | { kind: "value"; value: Json } | { kind: "guard"; guard: Guard };

/** A value in which texts like `{% $states.input.a %}` are expressions. @throws NoEquivalent */
export function valueOfJsonata(value: Json, data: StateData): Json {
  if (Array.isArray(value)) return value.map((one) => valueOfJsonata(one, data));
  if (isObject(value)) {
    const result: JsonObject = {};
    for (const [key, child] of Object.entries(value)) setOwn(result, key, valueOfJsonata(child, data));
    if (Object.keys(result).some((key) => key.startsWith("$"))) throw new NoEquivalent("a field of it begins with $");
    return result;
  }
  const text = typeof value === "string" ? EXPRESSION.exec(value)?.[1] : undefined;
  if (text === undefined) return toLiteral(value);
  const read = new Reading(text, data).whole();
  if (read.kind === "guard") throw noEqual(text);
  return read.kind === "place" ? pathOf(read.place) : toLiteral(read.value);
}

/** Where in the run an expression reads; undefined: the text is none. @throws NoEquivalent */
export function placeOfJsonata(value: Json, data: StateData): Place | undefined {
  const text = typeof value === "string" ? EXPRESSION.exec(value)?.[1] : undefined;
  if (text === undefined) return undefined;
  const read = new Reading(text, data).whole();
  if (read.kind !== "place") throw noEqual(text);
  return read.place;
}

/** The condition of a rule. @throws NoEquivalent */
export function guardOfJsonata(value: Json, data: StateData): Guard {
  if (typeof value === "boolean") return { type: value ? "all" : "any", guards: [] };
  const text = typeof value === "string" ? EXPRESSION.exec(value)?.[1] : undefined;
  if (text === undefined) throw new NoEquivalent("a condition of it is no expression");
  const read = new Reading(text, data).whole();
  if (read.kind === "guard") return read.guard;
  if (read.kind === "value") throw noEqual(text);
  return { type: "condition", params: { key: pathOf(read.place), operator: "==", value: true } };
}

/** What a state hands on and keeps in variables. @throws NoEquivalent */
export function resultsOfJsonata(
  { Output: output, Assign: assign }: JsonObject,
  result: Json,
  data: StateData,
): Action[] {
  const actions: Action[] = [];
  const assigned = isObject(assign) ? Object.entries(assign) : [];
  const paths = assigned.map(([name]) => pathOf(data.variable(name)));
  const values = assigned.map(([, value]) => valueOfJsonata(value, data));
  const handed = output === undefined ? result : valueOfJsonata(output, data);
  // All of them are computed from what was there before.
  const isRead = (value: Json) =>
    paths.some((path) => JSON.stringify(value).includes(JSON.stringify(path).slice(0, -1)));
  if (isRead(handed) || values.slice(1).some(isRead)) throw new NoEquivalent("it reads a variable that it assigns");
  for (const [index, path] of paths.entries())
    actions.push({ type: "assign", params: { path, value: values[index] ?? null } });
  if (handed !== data.root) actions.push({ type: "assign", params: { path: data.root, value: handed } });
  return actions;
}

const noEqual = (text: string): NoEquivalent =>
  new NoEquivalent(`the expression ${text.trim().slice(0, 200)} has no exact equivalent`);

/** Reads paths, fixed values, and comparisons of these. */
class Reading {
  readonly #text: string;
  readonly #data: StateData;
  #at = 0;

  constructor(text: string, data: StateData) {
    this.#text = text.trimEnd();
    this.#data = data;
  }

  whole(): Expression {
    const read = this.#any(0);
    if (this.#at < this.#text.length) throw this.#fail();
    return read;
  }

  #fail = (): NoEquivalent => noEqual(this.#text);

  #peek(): { token: string; end: number } | undefined {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#text);
    return match === null ? undefined : { token: match[0].trimStart(), end: TOKEN.lastIndex };
  }

  #take(...wanted: string[]): string | undefined {
    const next = this.#peek();
    if (next === undefined || (wanted.length > 0 && !wanted.includes(next.token))) return undefined;
    this.#at = next.end;
    return next.token;
  }

  #must(token: string): void {
    if (this.#take(token) === undefined) throw this.#fail();
  }

  #joined(type: "any" | "all", word: string, one: () => Expression): Expression {
    const first = one();
    const list = [first];
    while (this.#take(word) !== undefined) list.push(one());
    if (list.length === 1) return first;
    const guards = list.map((read): Guard => {
      if (read.kind !== "guard") throw this.#fail();
      return read.guard;
    });
    return { kind: "guard", guard: { type, guards } };
  }

  #any(depth: number): Expression {
    if (depth > 20) throw this.#fail();
    const comparison = () => this.#comparison(depth);
    return this.#joined("any", "or", () => this.#joined("all", "and", comparison));
  }

  #comparison(depth: number): Expression {
    const left = this.#one(depth);
    const written = this.#take(...Object.keys(COMPARED));
    if (written === undefined) return left;
    const right = this.#one(depth);
    const [place, other, operator] =
      left.kind === "place" ? [left, right, written] : [right, left, FLIPPED[written] ?? written];
    const compared = COMPARED[operator];
    if (place.kind !== "place" || other.kind === "guard" || compared === undefined) throw this.#fail();
    const value = other.kind === "place" ? pathOf(other.place) : toLiteral(other.value);
    return {
      kind: "guard",
      guard: { type: "condition", params: { key: pathOf(place.place), operator: compared, value } },
    };
  }

  #one(depth: number): Expression {
    if (this.#take("(") !== undefined) {
      const inner = this.#any(depth + 1);
      this.#must(")");
      return inner;
    }
    const token = this.#take();
    if (token === undefined) throw this.#fail();
    if (/^['"]/.test(token)) {
      if (token.includes("\\")) throw this.#fail();
      return { kind: "value", value: token.slice(1, -1) };
    }
    if (/^-?\d/.test(token)) return { kind: "value", value: Number(token) };
    if (Object.hasOwn(NAMED, token)) return { kind: "value", value: NAMED[token] ?? null };
    if (token === "$exists" || token === "$not") return this.#called(token, depth);
    if (!/^\$\w/.test(token) || this.#peek()?.token === "(") throw this.#fail();
    return this.#placeOf(token.slice(1), this.#segments());
  }

  #called(name: string, depth: number): Expression {
    this.#must("(");
    const given = this.#any(depth + 1);
    this.#must(")");
    if (name === "$not" && given.kind === "guard") return { kind: "guard", guard: { type: "not", guard: given.guard } };
    if (name !== "$exists" || given.kind !== "place") throw this.#fail();
    return { kind: "guard", guard: { type: "condition", params: { key: pathOf(given.place), operator: "exists" } } };
  }

  #segments(): Segment[] {
    const segments: Segment[] = [];
    for (;;) {
      if (this.#take(".") !== undefined) {
        const name = this.#take();
        if (name === undefined || !/^(?:[A-Za-z_]\w*|`[^`]*`|"[^"\\]*")$/.test(name)) throw this.#fail();
        segments.push(/^[`"]/.test(name) ? name.slice(1, -1) : name);
      } else if (this.#take("[") !== undefined) {
        const index = this.#take();
        if (index === undefined || !/^\d+$/.test(index)) throw this.#fail();
        this.#must("]");
        segments.push(Number(index));
      } else return segments;
    }
  }

  #placeOf(variable: string, segments: readonly Segment[]): Expression {
    if (variable !== "states") {
      const { root, segments: own } = this.#data.variable(variable);
      return { kind: "place", place: { root, segments: [...own, ...segments] } };
    }
    const [field, ...rest] = segments;
    if (field === "input") return { kind: "place", place: { root: this.#data.root, segments: rest } };
    if (field === "context") {
      const path = toPath("$$", rest);
      if (path === "$$.State.Name") return { kind: "value", value: this.#data.name };
      return { kind: "place", place: this.#data.place(path) };
    }
    const result = field === "result" ? this.#data.result : undefined;
    if (result === undefined) throw this.#fail();
    return { kind: "place", place: { root: result.root, segments: [...result.segments, ...rest] } };
  }
}
