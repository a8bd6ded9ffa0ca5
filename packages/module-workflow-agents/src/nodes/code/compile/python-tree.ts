import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/python";

/** A part of a Python text. */
export interface Part {
  /** What it is, by the grammar: `AssignStatement`, `VariableName`, `(`. */
  type: string;
  text: string;
  from: number;
  to: number;
  /** Counted from 1. */
  line: number;
  parts: Part[];
}

/** A text that is no Python. */
export class NoPythonError extends Error {
  readonly line: number;
  constructor(line: number) {
    super(`Line ${line} is no Python`);
    this.line = line;
  }
}

/** The statements of a text, in their order. @throws NoPythonError */
export function parsePython(text: string): Part[] {
  return statementsIn(toPart(parser.parse(text).topNode, text));
}

/** The only expression of a text. @throws NoPythonError */
export function parseExpression(text: string): Part {
  // In parentheses a line may end anywhere.
  const [statement] = parsePython(`(${text})`);
  const inner = statement?.parts[0];
  if (statement?.type !== "ExpressionStatement" || inner === undefined) throw new NoPythonError(1);
  return inner;
}

function toPart(node: SyntaxNode, text: string): Part {
  const line = text.slice(0, node.from).split("\n").length;
  if (node.type.isError) throw new NoPythonError(line);
  const parts: Part[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== "Comment") parts.push(toPart(child, text));
  return { type: node.name, text: text.slice(node.from, node.to), from: node.from, to: node.to, line, parts };
}

/** The statements of a body or of the whole text; those in one line are several. */
export function statementsIn({ parts }: Part): Part[] {
  return parts.flatMap((part) => {
    if (part.type === "StatementGroup") return statementsIn(part);
    return /(?:Statement|Definition)$/.test(part.type) ? [part] : [];
  });
}

/** All parts of a part, itself first, but nothing below those that are left out. */
export function* walk(part: Part, isLeftOut: (part: Part) => boolean = () => false): Generator<Part> {
  yield part;
  if (isLeftOut(part)) return;
  for (const inner of part.parts) yield* walk(inner, isLeftOut);
}

/** Names of variables in a part, each as often as it stands there; names of arguments are none. */
export function namesIn(part: Part): string[] {
  return [...walkNames(part)].map(({ text }) => text);
}

function* walkNames(part: Part): Generator<Part> {
  if (part.type === "VariableName") yield part;
  if (/Comprehension/.test(part.type)) {
    yield* walkComprehension(part);
    return;
  }
  for (const [index, inner] of part.parts.entries()) {
    const isKeyword = part.type === "ArgList" && part.parts[index + 1]?.type === "AssignOp";
    if (!isKeyword) yield* walkNames(inner);
  }
}

/** Its own variables are none of the program; what it goes through first is outside of it. */
function* walkComprehension({ parts }: Part): Generator<Part> {
  const first = parts.findIndex(({ type }) => type === "in") + 1;
  const own = new Set<string>();
  for (const [at, { type }] of parts.entries())
    if (type === "for")
      for (const part of parts.slice(
        at + 1,
        parts.findIndex((one, to) => to > at && one.type === "in"),
      ))
        for (const { text } of walkNames(part)) own.add(text);
  for (const [at, part] of parts.entries())
    for (const name of walkNames(part)) if (at === first || !own.has(name.text)) yield name;
}

/** What stands between the commas of a list of arguments, elements or targets. */
export function betweenCommas(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [[]];
  for (const part of parts) {
    if (part.type === ",") groups.push([]);
    else if (!/^[()[\]{}]$/.test(part.type)) groups.at(-1)?.push(part);
  }
  return groups.filter((group) => group.length > 0);
}

/** The part without the parentheses around it. */
export function bare(part: Part): Part {
  const [, inner] = part.parts;
  return part.type === "ParenthesizedExpression" && inner !== undefined && part.parts.length === 3 ? bare(inner) : part;
}

/** An argument of a call: `value`, `name=value`, `*value`. */
export interface Argument {
  name: string | undefined;
  isSpread: boolean;
  value: Part;
}

/** What is called, and with what; undefined: it is no call. */
export function callOf(part: Part): { callee: Part; arguments: Argument[] } | undefined {
  const [callee, list] = part.parts;
  if (part.type !== "CallExpression" || callee === undefined || list?.type !== "ArgList") return undefined;
  const given = betweenCommas(list.parts).flatMap((group): Argument[] => {
    const value = group.at(-1);
    if (value === undefined) return [];
    const isNamed = group[1]?.type === "AssignOp";
    return [{ name: isNamed ? group[0]?.text : undefined, isSpread: group.length > 1 && !isNamed, value }];
  });
  return { callee, arguments: given };
}

/** Targets and value of an assignment; each target is a list where several are written with commas. */
export function assignmentOf(part: Part): { targets: Part[][]; value: Part[] } | undefined {
  if (part.type !== "AssignStatement") return undefined;
  const sides: Part[][] = [[]];
  for (const inner of part.parts) {
    if (inner.type === "AssignOp") sides.push([]);
    else if (inner.type !== "TypeDef") sides.at(-1)?.push(inner);
  }
  const value = sides.pop() ?? [];
  return { targets: sides.map((side) => betweenCommas(side).flat()), value: betweenCommas(value).flat() };
}

/** The branches of an `if`, in their order; the last may have no condition. */
export function branchesOf(part: Part): { condition: Part | undefined; body: Part }[] {
  const branches: { condition: Part | undefined; body: Part }[] = [];
  let condition: Part | undefined;
  for (const inner of part.parts) {
    if (inner.type === "Body") {
      branches.push({ condition, body: inner });
      condition = undefined;
    } else if (!["if", "elif", "else"].includes(inner.type)) condition = inner;
  }
  return branches;
}

/** The parts of a `for`. */
export function loopOf(part: Part): { targets: Part[]; items: Part; body: Part; isPlain: boolean } | undefined {
  const at = part.parts.findIndex(({ type }) => type === "in");
  const bodies = part.parts.filter(({ type }) => type === "Body");
  const [body] = bodies;
  const items = part.parts.slice(at + 1).filter(({ type }) => type !== "Body" && type !== "else");
  const [only] = items;
  if (part.type !== "ForStatement" || body === undefined || only === undefined) return undefined;
  const targets = betweenCommas(part.parts.slice(0, at).filter(({ type }) => type !== "for")).flat();
  const isPlain = bodies.length === 1 && items.length === 1 && part.parts[0]?.type === "for";
  return { targets, items: only, body, isPlain };
}
