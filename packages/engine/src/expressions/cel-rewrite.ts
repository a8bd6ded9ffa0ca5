import type { ASTNode } from "@marcbachmann/cel-js";
import { LIMITED, OWN, RENAMED, RENAMED_METHODS, SPEND, SPEND_EQUAL, SPEND_IN, SPEND_LEFT } from "./cel-environment.ts";
import { readDuration, readTimestamp } from "./cel-time.ts";
import { ExpressionSyntaxError } from "./expression-error.ts";

const COMPREHENSIONS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);
/** Methods and functions whose cost grows with what they are called on. */
const COUNTED: ReadonlySet<string> = new Set(
  "split join contains startsWith endsWith lowerAscii upperAscii trim indexOf lastIndexOf substring size json hex string base64 bytes double int bool".split(
    " ",
  ),
);

/** The text with what is to be counted around receivers and operands. @throws ExpressionSyntaxError */
export function rewriteCel(expression: string, ast: ASTNode): string {
  const inserts: Insert[] = [];
  collect(ast, false, inserts);
  return rewrite(expression, inserts);
}

interface Insert {
  at: number;
  text: string;
  /** Characters replaced. */
  drop: number;
}

/** Finds the comprehensions (refusing nested ones) and what is to be counted, and where to rewrite the text. */
function collect(node: unknown, inside: boolean, inserts: Insert[]): void {
  if (Array.isArray(node)) {
    for (const child of node) collect(child, inside, inserts);
    return;
  }
  if (!isAst(node)) return;
  if (node.op === "+" || node.op === "==" || node.op === "!=" || node.op === "in") {
    const [left, right] = node.args;
    if (node.op === "+") for (const operand of [left, right]) wrap(operand, SPEND, inserts, false);
    else {
      wrap(left, SPEND_LEFT, inserts);
      wrap(right, node.op === "in" ? SPEND_IN : SPEND_EQUAL, inserts);
    }
  }
  if (node.op === "call") {
    const [name, args] = node.args;
    refuseOwn(name, node);
    const [first] = args;
    if (RENAMED.has(name)) {
      refuseLiteral(name, first);
      inserts.push({ at: node.start, text: OWN, drop: 0 });
    }
    if (COUNTED.has(name) && first !== undefined) wrap(first, SPEND, inserts, false);
  }
  if (node.op !== "rcall") {
    collect(node.args, inside, inserts);
    return;
  }
  const [name, receiver, args] = node.args;
  refuseOwn(name, node);
  const comprehension = COMPREHENSIONS.has(name) && args.length >= 2;
  if (comprehension && inside) {
    const reason = `The comprehension .${name}(…) stands inside another one`;
    const { start, end } = node;
    const fix = "Compute the inner list in a step before.";
    throw new ExpressionSyntaxError("cel", reason, fix, undefined, { start, end, reason });
  }
  // Before what is inside: of two calls that begin at one place, the one around the other is noted first.
  if (comprehension) wrap(receiver, LIMITED, inserts);
  else if (COUNTED.has(name)) wrap(receiver, SPEND, inserts, false);
  collect(receiver, inside, inserts);
  if (RENAMED_METHODS.has(name) && receiver.input)
    inserts.push({ at: receiver.input.indexOf(name, receiver.end), text: OWN, drop: 0 });
  collect(args, inside || comprehension, inserts);
}

/** The functions that count are put in by rewriting; written by hand they could miscount. */
function refuseOwn(name: string, { start, end }: ASTNode): void {
  if (!name.startsWith(OWN)) return;
  const reason = `There is no function ${name}`;
  throw new ExpressionSyntaxError("cel", reason, "Functions are those of CEL.", undefined, { start, end, reason });
}

/** A date that does not exist is wrong whatever the run's data is. */
function refuseLiteral(name: string, argument: ASTNode | undefined): void {
  if (argument?.op !== "value" || typeof argument.args !== "string") return;
  const { start, end, args } = argument;
  try {
    if (name === "timestamp") readTimestamp(args);
    else readDuration(args);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const reason = cause.message;
    throw new ExpressionSyntaxError("cel", reason, "Correct it.", cause, { start, end, reason });
  }
}

/** Literals are as long as the expression at most, so they need no counting. */
function wrap({ op, start, end }: ASTNode, name: string, inserts: Insert[], literals = true): void {
  if (op === "value" && !literals) return;
  inserts.push({ at: start, text: `${name}(`, drop: 0 }, { at: end, text: ")", drop: 0 });
}

function isAst(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}

function rewrite(expression: string, inserts: Insert[]): string {
  let result = expression;
  const ordered = inserts
    .map((insert, order) => ({ ...insert, order }))
    .sort((a, b) => b.at - a.at || b.order - a.order);
  for (const { at, text, drop } of ordered) result = result.slice(0, at) + text + result.slice(at + drop);
  return result;
}
