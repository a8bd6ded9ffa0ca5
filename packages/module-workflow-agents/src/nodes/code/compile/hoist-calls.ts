import type { CalledTool, Piece } from "./divide-program.ts";
import type { Known } from "./json-types.ts";
import { isAwaitedCall } from "./json-values.ts";
import { assignmentOf, bare, callOf, namesIn, type Part } from "./python-tree.ts";
import { Undividable } from "./undividable.ts";
import { isStill } from "./uses.ts";

/** A call of a tool: its function, and its arguments as expressions without calls of tools. */
export interface ToolUse {
  name: string;
  arguments: [name: string, text: string][];
}

/** Takes the calls of tools out of statements: what is left reads their answers from variables. */
export class Hoist {
  readonly #tools: ReadonlyMap<string, CalledTool>;
  readonly #fresh: (answer: Known) => string;

  /** @param fresh makes a variable for what a call answers */
  constructor(tools: ReadonlyMap<string, CalledTool>, fresh: (answer: Known) => string) {
    this.#tools = tools;
    this.#fresh = fresh;
  }

  /** An assignment, an update, or an expression whose value is not needed. @throws Undividable */
  statement(part: Part): Piece[] {
    const { line } = part;
    const assignment = assignmentOf(part);
    const value = assignment === undefined ? part.parts.at(-1) : assignment.value[0];
    if (value === undefined || (assignment !== undefined && assignment.value.length !== 1))
      throw new Undividable("its calls are not alone on their side");
    const [target] = part.parts;
    if (part.type === "UpdateStatement" && target?.type !== "VariableName")
      throw new Undividable("what it changes is looked up before the call");
    const [only] = assignment?.targets ?? [];
    const name = assignment?.targets.length === 1 && only?.length === 1 ? only[0] : undefined;
    if (part.type === "ExpressionStatement" && isCall(value, this.#tools)) return this.#calls(value, undefined).pieces;
    if (name?.type === "VariableName" && isCall(value, this.#tools)) return this.#calls(value, name.text).pieces;
    const { before, text } = this.expression(value);
    const rest = `${part.text.slice(0, value.from - part.from)}${text}${part.text.slice(value.to - part.from)}`;
    return [...before, { kind: "code", text: rest, line }];
  }

  /** Its calls, and the expression with their answers in their places. @throws Undividable */
  expression(part: Part): { before: Piece[]; text: string } {
    const before: Piece[] = [];
    const text = this.#replace(part, before);
    return { before, text };
  }

  #replace(part: Part, before: Piece[]): string {
    if (!this.#hasCalls(part)) return part.text;
    if (part.type === "AwaitExpression") {
      const { pieces, into } = this.#calls(part, this.#fresh(this.#answerOf(part)));
      before.push(...pieces);
      return into ?? "";
    }
    requireAlways(part, (inner) => this.#hasCalls(inner));
    let text = "";
    let end = part.from;
    for (const [index, inner] of part.parts.entries()) {
      const isLater = part.parts.slice(index + 1).some((other) => this.#hasCalls(other));
      if (isLater && !this.#isQuiet(inner)) throw new Undividable("something is computed before its call");
      text += part.text.slice(end - part.from, inner.from - part.from) + this.#replace(inner, before);
      end = inner.to;
    }
    return text + part.text.slice(end - part.from);
  }

  #answerOf(part: Part): Known {
    return this.#tools.get(callOf(bare(part.parts[1] ?? part))?.callee.text ?? "")?.answer;
  }

  /** Whether nothing can happen where it is computed, but for calls. */
  #isQuiet(part: Part): boolean {
    if (part.parts.length === 0 || isStill(part) || part.type === "AwaitExpression") return true;
    // The method of what is called with an answer.
    const [object, dot] = part.parts;
    return part.type === "MemberExpression" && dot?.type === "." && object !== undefined && isStill(object);
  }

  #hasCalls(part: Part): boolean {
    return namesIn(part).some((name) => this.#tools.has(name)) || part.type === "AwaitExpression";
  }

  #calls(part: Part, into: string | undefined): { pieces: Piece[]; into: string | undefined } {
    const pieces: Piece[] = [];
    const call = callOf(bare(part.parts[1] ?? part));
    if (call === undefined || !isAwaitedCall(part, { isTool: (name) => this.#tools.has(name) }))
      throw new Undividable("what it waits for is no call of a tool");
    const isMany = call.callee.type !== "VariableName";
    const made = isMany
      ? call.arguments.map(({ value, name, isSpread }) => (name || isSpread ? undefined : value))
      : [bare(part.parts[1] ?? part)];
    const calls = made.map((one) => this.#use(one, pieces, isMany));
    pieces.push({ kind: "calls", calls, into, isMany, line: part.line });
    return { pieces, into };
  }

  #use(part: Part | undefined, before: Piece[], isMany: boolean): ToolUse {
    const call = part === undefined ? undefined : callOf(bare(part));
    const tool = call?.callee.type === "VariableName" ? this.#tools.get(call.callee.text) : undefined;
    if (call === undefined || tool === undefined) throw new Undividable("what it waits for is no call of a tool");
    const given: [string, string][] = [];
    for (const [index, { name, isSpread, value }] of call.arguments.entries()) {
      const parameter = name ?? tool.parameters[index];
      const isTwice = given.some(([known]) => known === parameter);
      if (isSpread || parameter === undefined || isTwice) throw new Undividable("its arguments are not written out");
      const later = call.arguments.slice(index + 1).some((other) => this.#hasCalls(other.value));
      if ((later && !this.#isQuiet(value)) || (isMany && this.#hasCalls(value)))
        throw new Undividable("something is computed before its call");
      given.push([parameter, this.#replace(value, before)]);
    }
    return { name: call.callee.text, arguments: given };
  }
}

function isCall(part: Part, tools: ReadonlyMap<string, CalledTool>): boolean {
  return part.type === "AwaitExpression" && isAwaitedCall(part, { isTool: (name) => tools.has(name) });
}

const SOMETIMES: ReadonlySet<string> = new Set([
  ...["ConditionalExpression", "LambdaExpression", "NamedExpression", "ArrayComprehensionExpression"],
  ...["DictionaryComprehensionExpression", "SetComprehensionExpression", "ComprehensionExpression"],
]);

/** A call that is made sometimes, or several times, is no step. @throws Undividable */
function requireAlways(part: Part, hasCalls: (part: Part) => boolean): void {
  const isChoice = part.type === "BinaryExpression" && ["and", "or", "CompareOp"].includes(part.parts[1]?.type ?? "");
  const isInFirst = isChoice && !part.parts.slice(2).some(hasCalls);
  if (SOMETIMES.has(part.type) || (isChoice && part.parts[1]?.type !== "CompareOp" && !isInFirst))
    throw new Undividable("it is only called sometimes");
}
