import { assignedBy, rootOf } from "./divided-variables.ts";
import { CHANGING } from "./json-values.ts";
import {
  assignmentOf,
  bare,
  branchesOf,
  callOf,
  loopOf,
  namesIn,
  type Part,
  parsePython,
  statementsIn,
  walk,
} from "./python-tree.ts";

/** What a piece of a program needs and gives. */
export interface Uses {
  /** Names in it, also those of its own. */
  names: ReadonlySet<string>;
  /** Variables that it gives a value, or changes in place. */
  given: ReadonlySet<string>;
  /** Those that surely have a value behind it. */
  sure: ReadonlySet<string>;
}

export function usesOf(text: string): Uses {
  const statements = parsePython(text);
  const parts = statements.flatMap((part) => [...walk(part)]);
  return {
    names: new Set(statements.flatMap(namesIn)),
    // What an exception is caught as is gone behind its block.
    given: new Set(parts.flatMap((part) => [...(isTry(part) ? [] : assignedBy(part)), ...changedBy(part)])),
    sure: surelyGiven(statements),
  };
}

function isTry({ type }: Part): boolean {
  return type === "TryStatement";
}

/** Roots of what a statement or call changes in place. */
function changedBy(part: Part): string[] {
  const [target] = part.parts;
  const stored = part.type === "UpdateStatement" ? [target] : (assignmentOf(part)?.targets.flat() ?? []);
  const inside = stored.filter((one) => one?.type === "MemberExpression");
  const [object, , method] = callOf(part)?.callee.parts ?? [];
  const changed = object !== undefined && CHANGING.has(method?.text ?? "") ? [object] : [];
  return [...inside, ...changed].flatMap((one) => (one === undefined ? [] : (rootOf(one) ?? [])));
}

/** Variables that have a value behind statements, whichever way a program takes through them. */
function surelyGiven(statements: readonly Part[]): Set<string> {
  const given = new Set<string>();
  for (const part of statements) for (const name of surelyGivenBy(part)) given.add(name);
  return given;
}

function surelyGivenBy(part: Part): Set<string> {
  switch (part.type) {
    case "AssignStatement":
    case "UpdateStatement":
      return new Set(assignedBy(part));
    case "IfStatement": {
      const branches = branchesOf(part);
      if (branches.at(-1)?.condition !== undefined) return new Set();
      return common(branches.map(({ body }) => body));
    }
    case "TryStatement": {
      const bodies = part.parts.filter(({ type }) => type === "Body");
      return common(bodies);
    }
    default:
      return new Set();
  }
}

function common(bodies: readonly Part[]): Set<string> {
  const going = bodies.map(statementsIn).filter((statements) => !endsThere(statements));
  const [first, ...others] = going.map(surelyGiven);
  return new Set([...(first ?? [])].filter((name) => others.every((other) => other.has(name))));
}

const ENDS: ReadonlySet<string> = new Set(["ReturnStatement", "RaiseStatement", "ContinueStatement", "BreakStatement"]);

function endsThere(statements: readonly Part[]): boolean {
  return statements.some(({ type }) => ENDS.has(type));
}

/** Variables that a program may read before they have a value: what reads them must stay with what may give them one. */
export function unsureVariables(
  statements: readonly Part[],
  all: ReadonlySet<string>,
  inputs: readonly string[],
): Set<string> {
  const unsure = new Set<string>();
  visit(statements, new Set(inputs));
  return unsure;

  function visit(list: readonly Part[], before: ReadonlySet<string>): void {
    const given = new Set(before);
    for (const part of list) {
      const loop = loopOf(part);
      if (part.type === "IfStatement") {
        const branches = branchesOf(part);
        for (const { condition } of branches) read(condition === undefined ? [] : [condition], given);
        for (const { body } of branches) visit(statementsIn(body), given);
      } else if (loop !== undefined) {
        read([loop.items], given);
        visit(statementsIn(loop.body), new Set([...given, ...assignedBy(part)]));
      } else {
        // Of what stays whole, what it gives itself is not looked at closely.
        const own = [...walk(part)].flatMap(assignedBy);
        read(
          [part],
          new Set([...given, ...(isPlain(part) ? [] : own)]),
          isPlain(part) ? new Set(assignedBy(part)) : undefined,
        );
      }
      for (const name of surelyGivenBy(part)) given.add(name);
    }
  }

  function read(parts: readonly Part[], given: ReadonlySet<string>, targets: ReadonlySet<string> = new Set()): void {
    for (const part of parts) {
      const names = part.type === "AssignStatement" ? readByAssignment(part, targets) : namesIn(part);
      for (const name of names) if (all.has(name) && !given.has(name)) unsure.add(name);
    }
  }
}

/** Names that a text may read before it has given them a value. */
export function neededBy(text: string): Set<string> {
  const statements = parsePython(text);
  const needed = new Set<string>();
  visit(statements, new Set());
  const caught = statements.flatMap((part) => [...walk(part)].filter(isTry).flatMap(assignedBy));
  for (const name of caught) needed.delete(name);
  return needed;

  function visit(list: readonly Part[], before: ReadonlySet<string>): void {
    const given = new Set(before);
    for (const part of list) {
      const isAssignment = part.type === "AssignStatement";
      const names = isAssignment ? readByAssignment(part, new Set(assignedBy(part))) : namesIn(part);
      for (const name of names) if (!given.has(name)) needed.add(name);
      for (const name of surelyGivenBy(part)) given.add(name);
    }
  }
}

function isPlain({ type }: Part): boolean {
  return ["AssignStatement", "UpdateStatement", "ExpressionStatement", "ReturnStatement"].includes(type);
}

/** Names that an assignment reads; a target is read where it stands on the other side, too. */
function readByAssignment(part: Part, targets: ReadonlySet<string>): string[] {
  const names = namesIn(part);
  return names.filter((name, index) => !targets.has(name) || names.indexOf(name) !== index);
}

/** How a statement may leave what is around it. */
export function exitsOf(part: Part): Set<"return" | "loop"> {
  const found = new Set<"return" | "loop">();
  look(part, false);
  return found;

  function look(one: Part, inLoop: boolean): void {
    if (one.type === "FunctionDefinition" || one.type === "LambdaExpression") return;
    if (one.type === "ReturnStatement") found.add("return");
    if (["BreakStatement", "ContinueStatement"].includes(one.type) && !inLoop) found.add("loop");
    const isLoop = ["ForStatement", "WhileStatement"].includes(one.type);
    for (const inner of one.parts) look(inner, inLoop || isLoop);
  }
}

/** Whether an expression does nothing and cannot fail: a name or something written out. */
export function isStill(part: Part): boolean {
  return ["VariableName", "Number", "String", "Boolean", "None"].includes(bare(part).type);
}
