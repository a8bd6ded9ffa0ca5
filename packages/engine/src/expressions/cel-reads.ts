import { type ASTNode, ParseError } from "@marcbachmann/cel-js";
import type { Json } from "@oven/contract";
import { celEnvironment } from "./cel-environment.ts";

/** A value that an expression reads: `ctx.review_output.action` is `["review_output", "action"]`, `trigger.name` `["trigger", "name"]`. */
export interface CelRead {
  keys: readonly (string | number)[];
  /** As it is written. */
  text: string;
}

/** A value that is compared with a literal, by the operator of a condition that means the same. */
export interface CelComparison extends CelRead {
  operator: "==" | "!=" | "<" | "<=" | ">" | ">=" | "in";
  value: Json;
}

const MIRRORED: Readonly<Record<string, CelComparison["operator"]>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
const OPERATORS: ReadonlySet<string> = new Set([...Object.keys(MIRRORED), "in"]);

/**
 * What a CEL text reads and what it compares with literals, for checks before a run.
 * @returns nothing for a text that does not parse, which its compilation reports
 */
export function readsOfCel(expression: string): { reads: CelRead[]; comparisons: CelComparison[] } {
  const reads: CelRead[] = [];
  const comparisons: CelComparison[] = [];
  const textOf = ({ start, end }: ASTNode): string => expression.slice(start, end);
  const visit = (node: unknown, bound: ReadonlySet<string>): void => {
    if (Array.isArray(node)) for (const child of node) visit(child, bound);
    if (!isAst(node)) return;
    const args: readonly unknown[] = Array.isArray(node.args) ? node.args : [node.args];
    if (OPERATORS.has(node.op)) compare(node.op, args, bound);
    const keys = keysOf(node, bound);
    if (keys !== null) {
      reads.push({ keys, text: textOf(node) });
      return;
    }
    if (node.op === "rcall" && isComprehension(args)) {
      const [, receiver, [variable, ...parts]] = args;
      visit(receiver, bound);
      const name = variable.args;
      visit(parts, typeof name === "string" ? new Set([...bound, name]) : bound);
      return;
    }
    visit(args, bound);
  };
  const compare = (operator: string, [left, right]: readonly unknown[], bound: ReadonlySet<string>): void => {
    const add = (side: unknown, other: unknown, meant: CelComparison["operator"] | undefined): void => {
      const keys = isAst(side) ? keysOf(side, bound) : null;
      const value = literalOf(other);
      if (isAst(side) && keys !== null && value !== undefined && meant !== undefined)
        comparisons.push({ keys, text: textOf(side), operator: meant, value });
    };
    add(left, right, operator === "in" ? "in" : (operator as CelComparison["operator"])); // cast: one of OPERATORS
    add(right, left, MIRRORED[operator]);
  };
  try {
    visit(celEnvironment.parse(expression).ast, new Set());
  } catch (cause) {
    if (cause instanceof ParseError) return { reads: [], comparisons: [] };
    throw cause;
  }
  return { reads, comparisons };
}

/** `.map(x, …)` and its like: the receiver, and the name that stands for each entry. */
function isComprehension(args: readonly unknown[]): args is [string, ASTNode, [ASTNode, ...ASTNode[]]] {
  const [name, , parts] = args;
  return (
    typeof name === "string" &&
    ["all", "exists", "exists_one", "filter", "map"].includes(name) &&
    Array.isArray(parts) &&
    isAst(parts[0]) &&
    parts[0].op === "id"
  );
}

/** The keys from the run's values; null: it begins elsewhere, or a key is computed. */
function keysOf(node: ASTNode, bound: ReadonlySet<string>): (string | number)[] | null {
  const keys: (string | number)[] = [];
  let at: unknown = node;
  while (isAst(at)) {
    if (at.op === "id") {
      const name: unknown = at.args;
      if (typeof name !== "string" || bound.has(name)) return null;
      if (name !== "ctx") keys.unshift(name);
      return keys.length === 0 ? null : keys;
    }
    if (at.op !== "." && at.op !== "[]") return null;
    const [holder, key]: readonly unknown[] = at.args;
    const last = at.op === "." ? key : literalOf(key);
    if (typeof last !== "string" && typeof last !== "number") return null;
    keys.unshift(last);
    at = holder;
  }
  return null;
}

/** A literal, or a list of literals; undefined: it is computed. */
function literalOf(node: unknown): Json | undefined {
  if (!isAst(node)) return undefined;
  if (node.op === "list") {
    const items = (node.args as readonly unknown[]).map(literalOf); // cast: the items of a list
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (node.op !== "value") return undefined;
  const value: unknown = node.args;
  if (typeof value === "bigint") return Number(value);
  return value === null || ["string", "number", "boolean"].includes(typeof value) ? (value as Json) : undefined; // cast: checked beside
}

function isAst(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}
