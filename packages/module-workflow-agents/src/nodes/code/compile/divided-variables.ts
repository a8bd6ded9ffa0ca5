import { isScalar, type Types, typeOf } from "./json-types.ts";
import {
  aliasesOf,
  CHANGING,
  hasJsonElements,
  hasJsonTuples,
  isJsonValue,
  isText,
  type Values,
} from "./json-values.ts";
import { assignmentOf, bare, callOf, loopOf, type Part, walk } from "./python-tree.ts";

/** Variables of a program, and which of them steps can hand to each other. */
export interface Variables {
  /** All that are assigned anywhere, and the inputs. */
  all: ReadonlySet<string>;
  /** Their values are no JSON, or are changed in place where another variable may have them as well: no step may hand them on. */
  undividable: ReadonlySet<string>;
}

interface Facts {
  types: Types;
  isTool: Values["isTool"];
  json: Map<string, boolean>;
  /** Pairs of variables that may have the same value, or one of them a part of the other. */
  linked: [string, string][];
  /** Names of functions of the program that change something. */
  functions: ReadonlySet<string>;
  /** Another one may have it as well. */
  held: Set<string>;
  changed: Set<string>;
  /** Something inside of it is changed. */
  deeplyChanged: Set<string>;
}

/** @param inputs variables that the program begins with */
export function findVariables(
  statements: readonly Part[],
  inputs: readonly string[],
  types: Types,
  isTool: Values["isTool"],
): Variables {
  // What an exception is caught as is gone behind its block, so no two pieces share it.
  const assigning = statements.flatMap((part) => [...walk(part)]).filter(({ type }) => type !== "TryStatement");
  const all = new Set([...inputs, ...assigning.flatMap(assignedBy)]);
  const facts: Facts = {
    ...{ types, isTool, json: new Map([...all].map((name) => [name, true])), linked: [] },
    ...{ held: new Set(), changed: new Set(), deeplyChanged: new Set(), functions: changingFunctions(statements) },
  };
  const parts = statements.flatMap((part) => [...walk(part)]);
  // Each round takes at least one name away.
  for (let round = 0; round <= all.size; round += 1) {
    const before = [...facts.json.values()].filter(Boolean).length;
    for (const part of parts) noteJson(part, facts);
    if ([...facts.json.values()].filter(Boolean).length === before) break;
  }
  for (const part of parts) noteChanges(part, facts);
  return { all, undividable: undividableOf(facts) };
}

function changingFunctions(statements: readonly Part[]): Set<string> {
  const functions = statements.flatMap((part) => [...walk(part)]).filter(({ type }) => type === "FunctionDefinition");
  const changing = functions.filter((part) =>
    [...walk(part)].some((inner) => {
      const [target] = inner.parts;
      if (["AssignStatement", "UpdateStatement"].includes(inner.type)) return target?.type === "MemberExpression";
      return inner.type === "CallExpression" && CHANGING.has(target?.parts[2]?.text ?? "");
    }),
  );
  return new Set(changing.map(nameOfFunction));
}

/** Functions with a default that lives on between their calls. */
export function rememberingFunctions(statements: readonly Part[]): string[] {
  const made = /^(?:Array|Dictionary|Set|Call)|Comprehension/;
  return statements.flatMap((part) => {
    const given = part.parts.find(({ type }) => type === "ParamList");
    const remembers = given !== undefined && [...walk(given)].some(({ type }) => made.test(type));
    return part.type === "FunctionDefinition" && remembers ? [nameOfFunction(part)] : [];
  });
}

export function nameOfFunction({ parts }: Part): string {
  return parts.find(({ type }) => type === "VariableName")?.text ?? "";
}

/** Names that one statement, without those in it, gives a value. */
export function assignedBy(part: Part): string[] {
  const targets = targetsOf(part);
  return targets.filter(({ type }) => type === "VariableName").map(({ text }) => text);
}

function targetsOf(part: Part): Part[] {
  const { parts } = part;
  const [first] = parts;
  switch (part.type) {
    case "AssignStatement":
      return (assignmentOf(part)?.targets.flat() ?? []).flatMap(unpacked);
    case "UpdateStatement":
    case "NamedExpression":
      return first === undefined ? [] : [first];
    case "ForStatement":
      return (loopOf(part)?.targets ?? []).flatMap(unpacked);
    case "TryStatement":
    case "WithStatement":
      return parts.filter((_one, index) => parts[index - 1]?.type === "as");
    default:
      return [];
  }
}

function unpacked(part: Part): Part[] {
  return ["TupleExpression", "ArrayExpression", "ParenthesizedExpression"].includes(part.type)
    ? part.parts.flatMap(unpacked)
    : [part];
}

function noteJson(part: Part, facts: Facts): void {
  const { types, isTool, json } = facts;
  const values: Values = { types, isTool, isJson: (name) => json.get(name) ?? false };
  const set = (names: readonly string[], fits: boolean): void => {
    for (const name of fits ? [] : names) if (json.has(name)) json.set(name, false);
  };
  const assignment = assignmentOf(part);
  if (assignment !== undefined) {
    const { targets, value } = assignment;
    const [only] = value;
    for (const side of targets) {
      if (side.length === value.length)
        for (const [index, target] of side.entries()) store(target, value[index], values, set);
      else for (const target of side) store(target, only, values, set);
    }
    // Several values without targets of their own are a tuple.
    if (value.length > 1 && targets.some(({ length }) => length === 1)) set(assignedBy(part), false);
    return;
  }
  const [target, , value] = part.parts;
  switch (part.type) {
    case "UpdateStatement":
      if (target !== undefined) store(target, value, values, set);
      return;
    case "NamedExpression":
    case "TryStatement":
    case "WithStatement":
      set(assignedBy(part), false);
      return;
    case "ForStatement": {
      const loop = loopOf(part);
      if (loop === undefined) return;
      const fits = loop.targets.length === 1 ? hasJsonElements(loop.items, values) : hasJsonTuples(loop.items, values);
      set(assignedBy(part), fits && loop.targets.every(({ type }) => type === "VariableName"));
      return;
    }
    case "CallExpression": {
      const call = callOf(part);
      const [object, , method] = call?.callee.parts ?? [];
      if (call === undefined || object === undefined || !CHANGING.has(method?.text ?? "")) return;
      set(
        [rootOf(object) ?? ""],
        call.arguments.every((given) => isJsonValue(given.value, values)),
      );
      // Only sets have these.
      set([rootOf(object) ?? ""], !["add", "discard"].includes(method?.text ?? ""));
      return;
    }
    default:
  }
}

function store(
  target: Part,
  value: Part | undefined,
  values: Values,
  set: (names: readonly string[], fits: boolean) => void,
): void {
  const fits = value !== undefined && isJsonValue(value, values);
  if (target.type === "VariableName") {
    set([target.text], fits);
    return;
  }
  const root = rootOf(target);
  if (root === undefined) return;
  const [object, , key] = target.parts;
  const isList = object !== undefined && typeOf(object, values.types)?.type === "array";
  set([root], fits && key !== undefined && (isList || isText(key, values)));
}

/** One variable has others, or what they have, in it; `isPart`: it may be one of them, or a part of one. */
type Link = (name: string, others: readonly string[], isPart?: boolean) => void;

function noteChanges(part: Part, facts: Facts): void {
  const { types, linked, held, changed, deeplyChanged } = facts;
  const link: Link = (name, others, isPart = false) => {
    for (const other of others) {
      linked.push([name, other]);
      held.add(other);
      if (isPart) held.add(name);
    }
  };
  const change = (object: Part): void => {
    const inner = bare(object);
    const root = rootOf(inner);
    if (root === undefined) return;
    changed.add(root);
    if (inner.type !== "VariableName") deeplyChanged.add(root);
  };
  const assignment = assignmentOf(part);
  const from = (assignment?.value ?? []).flatMap((value) => aliasesOf(value, types));
  for (const target of assignment?.targets.flat() ?? []) noteTarget(target, from, link, change);
  const [target, , value] = part.parts;
  if (part.type === "UpdateStatement" && target !== undefined && value !== undefined) {
    if (target.type !== "VariableName") noteTarget(target, aliasesOf(value, types), link, change);
    else if (!isScalar(types.of(target.text))) {
      change(target);
      link(target.text, aliasesOf(value, types));
    }
  }
  const loop = loopOf(part);
  for (const name of loop === undefined ? [] : assignedBy(part))
    if (!isScalar(types.of(name))) link(name, aliasesOf((loop as { items: Part }).items, types), true); // cast: there is a loop
  const call = callOf(part);
  const [object, , method] = call?.callee.parts ?? [];
  // A function of the program may change what it is given.
  if (call?.callee.type === "VariableName" && facts.functions.has(call.callee.text))
    for (const name of call.arguments.flatMap((given) => aliasesOf(given.value, types))) {
      changed.add(name);
      held.add(name);
    }
  if (call !== undefined && object !== undefined && CHANGING.has(method?.text ?? "")) {
    change(object);
    const root = rootOf(object);
    if (root !== undefined)
      link(
        root,
        call.arguments.flatMap(({ value: given }) => aliasesOf(given, types)),
      );
  }
}

function noteTarget(target: Part, from: readonly string[], link: Link, change: (object: Part) => void): void {
  if (target.type === "VariableName") {
    link(target.text, from, true);
    return;
  }
  const root = rootOf(target);
  const [object] = target.parts;
  if (object !== undefined && target.type === "MemberExpression") change(object);
  if (root !== undefined) link(root, from);
}

/** The variable that a value is reached from. */
export function rootOf(part: Part): string | undefined {
  const inner = bare(part);
  if (inner.type === "VariableName") return inner.text;
  const [object] = inner.parts;
  if (inner.type === "CallExpression" && object?.type !== "MemberExpression") return undefined;
  return ["MemberExpression", "CallExpression"].includes(inner.type) && object !== undefined
    ? rootOf(object)
    : undefined;
}

function undividableOf({ json, linked, held, changed, deeplyChanged }: Facts): Set<string> {
  const found = new Set([...json].filter(([, fits]) => !fits).map(([name]) => name));
  const links = (name: string): string[] =>
    linked.flatMap(([one, other]) => (one === name ? [other] : other === name ? [one] : []));
  // What another one holds must not be changed in place; what is changed inside must not be made of others.
  const sources = new Set([...changed].filter((name) => held.has(name)));
  for (const name of deeplyChanged) if (links(name).some((other) => other !== name)) sources.add(name);
  const queue = [...sources];
  const seen = new Set(queue);
  while (queue.length > 0) {
    const name = queue.pop() ?? "";
    found.add(name);
    for (const other of links(name)) {
      if (seen.has(other)) continue;
      seen.add(other);
      queue.push(other);
    }
  }
  return found;
}
