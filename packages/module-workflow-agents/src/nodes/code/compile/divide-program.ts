import { OvenError } from "@oven/contract";
import { assignedBy, findVariables, nameOfFunction, rememberingFunctions } from "./divided-variables.ts";
import { Hoist, type ToolUse } from "./hoist-calls.ts";
import { inferTypes, type Known, type Types } from "./json-types.ts";
import { hasJsonElements, hasJsonTuples } from "./json-values.ts";
import { branchesOf, loopOf, NoPythonError, namesIn, type Part, parsePython, statementsIn } from "./python-tree.ts";
import { Undividable } from "./undividable.ts";
import { exitsOf, unsureVariables, usesOf } from "./uses.ts";

/** A function of a program that calls a tool. */
export interface CalledTool {
  /** Names of its parameters, in their order. */
  parameters: readonly string[];
  /** What it answers, as a JSON Schema. */
  answer: Known;
}

/** A piece of a program, in the order in which it runs. Texts of expressions have no calls of tools in them any more. */
export type Piece =
  | { kind: "code"; text: string; line: number; isLast?: boolean }
  /** It calls tools in a way that stays a program. */
  | { kind: "program"; text: string; line: number; isLast?: boolean }
  | { kind: "calls"; calls: ToolUse[]; into: string | undefined; isMany: boolean; line: number }
  | { kind: "if"; condition: string; whenTrue: Piece[]; whenFalse: Piece[]; line: number }
  | { kind: "each"; targets: string[]; items: string; body: Piece[]; line: number }
  /** On to the next round of the loop around it. */
  | { kind: "next"; line: number }
  | { kind: "end"; value: string | undefined; line: number };

export interface DividedProgram {
  pieces: Piece[];
  types: Types;
  /** Variables of the program, and those that were made for it. */
  variables: ReadonlySet<string>;
  /** Those of one piece alone, but for what an input has at first. */
  together: ReadonlySet<string>;
  /** Imports and functions, which stand before each piece that names them. */
  shared: { name: string; text: string; isProgram: boolean }[];
}

interface Block {
  isTop: boolean;
  inLoop: boolean;
}

/**
 * Divides a program where it calls tools.
 * @param inputs names of its inputs
 * @param others functions that are no tools, and that only a program can call
 * @throws OvenError CODE_SYNTAX
 */
export function divideProgram(
  code: string,
  tools: ReadonlyMap<string, CalledTool>,
  inputs: readonly string[],
  others: readonly string[] = [],
): DividedProgram {
  return new Divider(code, tools, inputs, others).divide();
}

class Divider {
  readonly #code: string;
  readonly #tools: ReadonlyMap<string, CalledTool>;
  readonly #statements: Part[];
  readonly #types: Types;
  readonly #variables: Set<string>;
  /** Variables that no two pieces may share. */
  readonly #together: ReadonlySet<string>;
  readonly #shared: DividedProgram["shared"] = [];
  /** Names by which tools are called: functions, and functions of the program that call them. */
  readonly #calling: Set<string>;
  readonly #hoist: Hoist;

  constructor(
    code: string,
    tools: ReadonlyMap<string, CalledTool>,
    inputs: readonly string[],
    others: readonly string[],
  ) {
    this.#code = code;
    this.#tools = tools;
    this.#calling = new Set([...tools.keys(), ...others]);
    const all = readStatements(code);
    for (const part of all) this.#share(part);
    this.#statements = all.filter((part) => !isShared(part));
    const given = new Map<string, Known>(inputs.map((name) => [name, undefined]));
    const inferred = inferTypes(all, given, (name) => tools.get(name)?.answer);
    const answers = new Map<string, Known>();
    this.#types = { ...inferred, of: (name) => answers.get(name) ?? inferred.of(name) };
    const { all: variables, undividable } = findVariables(all, inputs, this.#types, (name) => tools.has(name));
    this.#variables = new Set(variables);
    const unsure = unsureVariables(this.#statements, variables, inputs);
    this.#together = new Set([...undividable, ...unsure, ...rememberingFunctions(all)]);
    this.#hoist = new Hoist(tools, (answer) => {
      const name = this.#fresh("call");
      answers.set(name, answer);
      return name;
    });
  }

  divide(): DividedProgram {
    const pieces = this.#block(this.#statements, { isTop: true, inLoop: false });
    return { pieces, types: this.#types, variables: this.#variables, together: this.#together, shared: this.#shared };
  }

  #share(part: Part): void {
    if (part.type === "ImportStatement") {
      for (const name of namesIn(part)) this.#shared.push({ name, text: part.text, isProgram: false });
      return;
    }
    if (part.type !== "FunctionDefinition") return;
    const name = nameOfFunction(part);
    const isProgram = namesIn(part).some((used) => this.#calling.has(used));
    if (isProgram) this.#calling.add(name);
    this.#shared.push({ name, text: part.text.trimEnd(), isProgram });
  }

  /** A name that the program does not have. */
  #fresh(base: string): string {
    for (let number = 1; ; number += 1) {
      const name = `${base}_${number}`;
      if (this.#variables.has(name) || new RegExp(`\\b${name}\\b`).test(this.#code)) continue;
      this.#variables.add(name);
      return name;
    }
  }

  #block(statements: readonly Part[], block: Block): Piece[] {
    const pieces: Piece[] = [];
    const groups = this.#groups(statements);
    for (const [index, group] of groups.entries()) {
      const isLast = block.isTop && index === groups.length - 1;
      try {
        pieces.push(...this.#group(group, block, isLast));
      } catch (error) {
        if (!(error instanceof Undividable) || !block.isTop) throw error;
        // It may end the program in its middle: all that follows stays with it.
        return [...pieces, this.#whole(groups.slice(index).flat(), true)];
      }
    }
    return pieces;
  }

  /** Statements one by one, or together where they share a variable that no two pieces may share. */
  #groups(statements: readonly Part[]): Part[][] {
    const groups: Part[][] = [];
    let end = -1;
    for (const [index, part] of statements.entries()) {
      if (index > end) groups.push([]);
      groups.at(-1)?.push(part);
      const own = namesIn(part).filter((name) => this.#together.has(name));
      const last = statements.findLastIndex((other) => namesIn(other).some((name) => own.includes(name)));
      end = Math.max(end, last);
    }
    return groups;
  }

  #group(group: readonly Part[], block: Block, isLast: boolean): Piece[] {
    const [part] = group;
    if (part === undefined) return [];
    if (group.length === 1) {
      try {
        return this.#statement(part, block, isLast);
      } catch (error) {
        if (!(error instanceof Undividable)) throw error;
      }
    }
    if (group.some((one) => exitsOf(one).size > 0)) throw new Undividable("it leaves what is around it");
    return [this.#whole(group, isLast)];
  }

  #whole(group: readonly Part[], isLast: boolean): Piece {
    const [first] = group;
    const last = group.at(-1);
    const text = cut(this.#code, first?.from ?? 0, last?.to ?? 0);
    const kind = this.#callsTools(group) ? "program" : "code";
    const hasValue =
      isLast && (last?.type === "ExpressionStatement" || group.some((one) => exitsOf(one).has("return")));
    return { kind, text, line: first?.line ?? 1, ...(hasValue ? { isLast: true } : {}) };
  }

  #callsTools(group: readonly Part[]): boolean {
    return group.some((part) => namesIn(part).some((name) => this.#calling.has(name)));
  }

  #statement(part: Part, block: Block, isLast: boolean): Piece[] {
    const calls = this.#callsTools([part]);
    switch (part.type) {
      case "ReturnStatement":
        if (block.inLoop) throw new Undividable("it ends the program inside of a loop");
        return this.#end(part.parts.slice(1), part.line);
      case "PassStatement":
        return [];
      case "ContinueStatement":
        if (!block.inLoop) throw new Undividable("it is in no loop");
        return [{ kind: "next", line: part.line }];
      case "ExpressionStatement":
        if (isLast) return this.#end(part.parts, part.line);
        return calls ? this.#hoist.statement(part) : [this.#whole([part], false)];
      case "IfStatement":
        return calls || exitsOf(part).size > 0 ? this.#if(part, block) : [this.#whole([part], false)];
      case "ForStatement":
        return calls ? this.#each(part) : this.#plain(part);
      case "AssignStatement":
      case "UpdateStatement":
        return calls ? this.#hoist.statement(part) : [this.#whole([part], false)];
      default:
        if (calls) throw new Undividable("its calls cannot be steps of their own");
        return this.#plain(part);
    }
  }

  #plain(part: Part): Piece[] {
    if (exitsOf(part).size > 0) throw new Undividable("it leaves what is around it");
    return [this.#whole([part], false)];
  }

  #end(parts: readonly Part[], line: number): Piece[] {
    const [value, ...more] = parts.filter(({ type }) => type !== ";");
    if (more.length > 0) throw new Undividable("it ends with several values");
    if (value === undefined) return [{ kind: "end", value: undefined, line }];
    const { before, text } = this.#hoist.expression(value);
    return [...before, { kind: "end", value: text, line }];
  }

  #if(part: Part, block: Block): Piece[] {
    const inner = { ...block, isTop: false };
    const build = (branches: ReturnType<typeof branchesOf>): Piece[] => {
      const [branch, ...others] = branches;
      if (branch === undefined) return [];
      const { condition, body } = branch;
      if (condition === undefined) return this.#block(statementsIn(body), inner);
      const { before, text } = this.#hoist.expression(condition);
      const whenTrue = this.#block(statementsIn(body), inner);
      return [...before, { kind: "if", condition: text, whenTrue, whenFalse: build(others), line: condition.line }];
    };
    return build(branchesOf(part));
  }

  #each(part: Part): Piece[] {
    const loop = loopOf(part);
    const targets = loop?.targets ?? [];
    if (!loop?.isPlain || !targets.every(({ type }) => type === "VariableName"))
      throw new Undividable("it is no simple loop");
    const body = statementsIn(loop.body);
    const values = {
      types: this.#types,
      isTool: (name: string) => this.#tools.has(name),
      isJson: (name: string) => this.#variables.has(name) && !this.#together.has(name),
    };
    const fits = targets.length === 1 ? hasJsonElements(loop.items, values) : hasJsonTuples(loop.items, values);
    const isCarried = namesIn(part).some((name) => this.#together.has(name) && !isFreshIn(name, part, body));
    if (!fits || isCarried) throw new Undividable("its rounds share what steps cannot hand on");
    const { given } = usesOf(cut(this.#code, body[0]?.from ?? 0, body.at(-1)?.to ?? 0));
    if (namesIn(loop.items).some((name) => given.has(name))) throw new Undividable("it changes what it goes through");
    const { before, text } = this.#hoist.expression(loop.items);
    const pieces = this.#block(body, { isTop: false, inLoop: true });
    return [
      ...before,
      { kind: "each", targets: targets.map((target) => target.text), items: text, body: pieces, line: part.line },
    ];
  }
}

/** Whether each round of a loop gives a variable its value before it reads it, and nothing else has it. */
function isFreshIn(name: string, loop: Part, body: readonly Part[]): boolean {
  if (assignedBy(loop).includes(name)) return false;
  const first = body.find((part) => namesIn(part).includes(name));
  if (first?.type !== "AssignStatement") return false;
  return assignedBy(first).includes(name) && namesIn(first).filter((one) => one === name).length === 1;
}

function readStatements(code: string): Part[] {
  try {
    return parsePython(code);
  } catch (error) {
    if (!(error instanceof NoPythonError)) throw error;
    throw new OvenError("CODE_SYNTAX", error.message, {
      status: 422,
      fix: "Correct the program first.",
      details: { line: error.line },
    });
  }
}

function isShared({ type }: Part): boolean {
  return type === "ImportStatement" || type === "FunctionDefinition";
}

/** A part of a text, with the indentation of its first line taken from all lines. */
function cut(code: string, from: number, to: number): string {
  const column = from - (code.lastIndexOf("\n", from - 1) + 1);
  const isIndented = column > 0 && /^\s*$/.test(code.slice(from - column, from));
  const text = code.slice(from, to).trimEnd();
  if (!isIndented || !text.includes("\n")) return text;
  // Lines of a long text are part of it: they stay as they are, and so does the block.
  if (/"""|'''|\\\n/.test(text)) return `if True:\n${" ".repeat(column)}${text}`;
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? line : line.slice(Math.min(column, line.search(/\S|$/)))))
    .join("\n");
}
