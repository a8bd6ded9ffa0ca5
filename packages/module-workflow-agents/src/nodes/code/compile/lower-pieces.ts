import type { Json } from "@oven/contract";
import type { Guard } from "@oven/contract/workflow";
import type { DividedProgram, Piece } from "./divide-program.ts";
import { typeOf } from "./json-types.ts";
import { assignmentOf, parseExpression, parsePython } from "./python-tree.ts";
import { type Translation, toGuard, toValue } from "./to-values.ts";

/** A value of the graph; what no value says is computed by code before it, into a variable. */
export type Value = Json;

/** A step of the graph: its values and guards are those of a definition. */
export type Step =
  | { kind: "set"; sets: { name: string; value: Value }[]; line: number }
  | { kind: "code" | "program"; text: string; isLast: boolean; line: number }
  | {
      kind: "calls";
      calls: { name: string; arguments: Record<string, Value> }[];
      into: string | undefined;
      isMany: boolean;
      line: number;
    }
  | { kind: "if"; guard: Guard; text: string; whenTrue: Step[]; whenFalse: Step[]; line: number }
  | { kind: "each"; targets: string[]; items: Value; text: string; body: Step[]; line: number }
  | { kind: "next"; line: number }
  | { kind: "end"; value: Value; line: number };

/** Says each expression as a value or guard where one is exactly the same, and leaves the others to code in front of it. */
export class Lowering {
  readonly #translation: Translation;
  readonly #fresh: (base: string) => string;

  constructor({ types, variables }: DividedProgram, made: Set<string>) {
    this.#translation = { types, isVariable: (name) => variables.has(name) || made.has(name) };
    this.#fresh = (base) => {
      for (let number = 1; ; number += 1) {
        const name = `${base}_${number}`;
        if (variables.has(name) || made.has(name)) continue;
        made.add(name);
        return name;
      }
    };
  }

  lower(pieces: readonly Piece[]): Step[] {
    return joinCode(pieces.flatMap((piece) => this.#piece(piece)));
  }

  #piece(piece: Piece): Step[] {
    const { line } = piece;
    switch (piece.kind) {
      case "code":
      case "program": {
        const { kind, text, isLast = false } = piece;
        const set = kind === "code" && !isLast ? this.#set(text) : undefined;
        return [set === undefined ? { kind, text, isLast, line } : { kind: "set", sets: [set], line }];
      }
      case "calls": {
        const before: Step[] = [];
        const calls = piece.calls.map(({ name, arguments: given }) => ({
          name,
          arguments: Object.fromEntries(given.map(([key, text]) => [key, this.#value(text, key, before, line)])),
        }));
        const { into, isMany } = piece;
        return [...before, { kind: "calls", calls, into, isMany, line }];
      }
      case "if": {
        const { condition: text, whenTrue, whenFalse } = piece;
        const inner = { whenTrue: this.lower(whenTrue), whenFalse: this.lower(whenFalse) };
        const guard = toGuard(text, this.#translation);
        if (guard !== undefined) return [{ kind: "if", guard, text, ...inner, line }];
        const name = this.#fresh("test");
        return [this.#compute(name, `bool(${text})`, line), { kind: "if", guard: isTrue(name), text, ...inner, line }];
      }
      case "each": {
        const { items: text, targets, body } = piece;
        const known = typeOf(parseExpression(text), this.#translation.types);
        const value = known?.type === "array" ? toValue(text, this.#translation) : undefined;
        const name = value === undefined ? this.#fresh("items") : "";
        const before = value === undefined ? [this.#compute(name, `list(${text})`, line)] : [];
        const items = value ?? pathTo(name);
        return [...before, { kind: "each", targets, items, text, body: this.lower(body), line }];
      }
      case "end": {
        const before: Step[] = [];
        const value = piece.value === undefined ? null : this.#value(piece.value, "answer", before, line);
        return [...before, { kind: "end", value, line }];
      }
      case "next":
        return [piece];
    }
  }

  /** An assignment of a value to one variable. */
  #set(text: string): { name: string; value: Value } | undefined {
    const [statement, ...more] = parsePython(text);
    const assignment = statement === undefined ? undefined : assignmentOf(statement);
    const [side, ...others] = assignment?.targets ?? [];
    const [target] = side ?? [];
    const [given] = assignment?.value ?? [];
    const isOne = more.length === 0 && others.length === 0 && side?.length === 1 && assignment?.value.length === 1;
    if (!isOne || target?.type !== "VariableName" || given === undefined) return undefined;
    const value = toValue(given.text, this.#translation);
    return value === undefined ? undefined : { name: target.text, value };
  }

  #value(text: string, base: string, before: Step[], line: number): Value {
    const value = toValue(text, this.#translation);
    if (value !== undefined) return value;
    const name = this.#fresh(/^[A-Za-z]\w*$/.test(base) ? base : "value");
    before.push(this.#compute(name, text, line));
    return pathTo(name);
  }

  #compute(name: string, text: string, line: number): Step {
    // In parentheses it may have lines of its own.
    const value = text.includes("\n") ? `(${text})` : text;
    return { kind: "code", text: `${name} = ${value}`, isLast: false, line };
  }
}

const pathTo = (name: string): string => `$.vars.${name}`;

function isTrue(name: string): Guard {
  return { type: "condition", params: { key: pathTo(name), operator: "==", value: true } };
}

/** What is computed one after the other is one step; only values that are set all along need no code. */
function joinCode(steps: readonly Step[]): Step[] {
  const joined: Step[] = [];
  for (const step of steps) {
    const before = joined.at(-1);
    if (before?.kind === "set" && step.kind === "set") before.sets.push(...step.sets);
    else if (before?.kind === "code" && !before.isLast && step.kind === "code")
      joined[joined.length - 1] = { ...step, text: `${before.text}\n${step.text}`, line: before.line };
    else joined.push(step.kind === "set" ? { ...step, sets: [...step.sets] } : step);
  }
  return joined;
}
