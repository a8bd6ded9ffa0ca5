import { getOwn, type JsonObject } from "@oven/contract";
import type { SessionGraphSpec, SessionGraphWarning } from "@oven/contract/formats/sessions.ts";
import {
  type CatalogEntry,
  compileGuard,
  ExpressionSyntaxError,
  isObject,
  suggest,
  validateDefinition,
} from "@oven/engine";
import type { SourceProblem } from "../../shared/source-problem.ts";
import { compileGraph, REQUEST_FUNCTION, toGuard } from "./compile-graph.ts";
import { findReferences, hasOwnMeaning, isForeign } from "./compile-input.ts";
import { statesOf } from "./graph-states.ts";
import { conditionsOf, inputOf } from "./read-graph.ts";
import { type Reference, splitReferences } from "./reference.ts";

/** Functions that steps may name. */
export interface Functions {
  get(src: string, version?: number): CatalogEntry | undefined;
  names(): string[];
}

/** Why a step cannot run a function; undefined: it can. */
export function missingFunction(functions: Functions): (name: string) => string | undefined {
  return (name) =>
    functions.get(name) === undefined
      ? `There is no function ${JSON.stringify(name)}. ${suggest(name, [...functions.names(), REQUEST_FUNCTION], "GET /api/node-types lists them.")}`
      : undefined;
}

/** Everything that keeps a graph from being stored, and what will be an error of a step. */
export function checkGraph(
  spec: SessionGraphSpec,
  functions: Functions,
): { problems: SourceProblem[]; warnings: SessionGraphWarning[] } {
  const problems: SourceProblem[] = [];
  const warnings: SessionGraphWarning[] = [];
  const steps = Object.keys(spec.steps);
  // The database does not hold it.
  if (JSON.stringify(spec).includes("\\u0000"))
    problems.push({ path: "$", message: "A text has a NUL character in it", fix: "Take it out." });
  if (!Object.hasOwn(spec.steps, "root"))
    problems.push({
      path: "$.steps",
      message: "There is no step root, which every session begins with",
      fix: suggest("root", steps, "Add it, or call the first step root."),
    });
  const missing = missingFunction(functions);
  for (const [id, step] of Object.entries(spec.steps)) {
    const path = `$.steps.${id}`;
    const input = inputOf(step);
    if (input === undefined) {
      const what = typeof step.input === "string" ? "is not JSON of an object" : "is not an object";
      problems.push({ path: `${path}.input`, message: `The input of ${id} ${what}`, fix: "Write it as an object." });
      continue;
    }
    problems.push(...inputProblems(input, `${path}.input`, steps, typeof step.input === "string"));
    for (const reference of findReferences(input).filter(isForeign))
      warnings.push({
        path: `${path}.input`,
        message: `${reference.source} is of another session: ${id} will fail`,
        fix: `Write @{SESSION_ID}.${reference.step}.`,
      });
    const problem = step.function === REQUEST_FUNCTION ? undefined : missing(step.function);
    if (problem !== undefined)
      warnings.push({ path: `${path}.function`, message: `${problem} ${id} will fail`, fix: "Name one that exists." });
  }
  problems.push(...pathProblems(spec, steps));
  const reached = new Set(["root", ...(spec.next ?? []).map(({ to }) => to)]);
  for (const id of steps.filter((step) => !reached.has(step)))
    warnings.push({ path: `$.steps.${id}`, message: `No path leads to ${id}`, fix: "Add one, or take the step out." });
  if (problems.length === 0) problems.push(...compiledProblems(spec, functions));
  return { problems, warnings };
}

function inputProblems(value: unknown, path: string, steps: readonly string[], isText: boolean): SourceProblem[] {
  // Within text there are no places of its own.
  const inside = (part: string) => (isText ? path : `${path}${part}`);
  if (typeof value === "string") return textProblems(value, path, steps);
  if (Array.isArray(value)) return value.flatMap((item, at) => inputProblems(item, inside(`[${at}]`), steps, isText));
  if (!isObject(value)) return [];
  if (hasOwnMeaning(value) && findReferences(value).length > 0)
    return [
      {
        path,
        message: "An object with $cel or $literal cannot have references beside it",
        fix: "Give the key another name.",
      },
    ];
  return Object.entries(value).flatMap(([key, child]) => inputProblems(child, inside(`.${key}`), steps, isText));
}

function textProblems(text: string, path: string, steps: readonly string[]): SourceProblem[] {
  const { parts, unreadable } = splitReferences(text);
  return [
    ...unreadable.map((what) => ({
      path,
      message: `${JSON.stringify(what)} is no reference`,
      fix: "Write @{SESSION_ID}.step.field, or \\@{ for the characters themselves.",
    })),
    ...parts.flatMap((part) => (typeof part === "string" ? [] : stepProblems(part, path, steps))),
  ];
}

function stepProblems(
  { step, source, index, field }: Reference,
  path: string,
  steps: readonly string[],
): SourceProblem[] {
  if (!steps.includes(step))
    return [{ path, message: `${source} names a step that does not exist`, fix: suggest(step, steps, "Name a step.") }];
  const wrong = [index, ...field].find((part) => typeof part === "number" && Math.abs(part) > 999_999);
  return wrong === undefined
    ? []
    : [{ path, message: `${source}: ${wrong} is no position`, fix: "Use a smaller one." }];
}

function pathProblems(spec: SessionGraphSpec, steps: readonly string[]): SourceProblem[] {
  return (spec.next ?? []).flatMap((path, place) => {
    const at = `$.next[${place}]`;
    const ends = (["from", "to"] as const).flatMap((end) =>
      steps.includes(path[end])
        ? []
        : [
            {
              path: `${at}.${end}`,
              message: `There is no step ${JSON.stringify(path[end])}`,
              fix: suggest(path[end], steps, "Name a step."),
            },
          ],
    );
    const conditions = conditionsOf(path);
    if (conditions === undefined) {
      const message = "The conditions are not JSON of a list of conditions";
      return [...ends, { path: `${at}.conditions`, message, fix: 'Write [{"variable": "@{SESSION_ID}.step.field"}].' }];
    }
    const told = conditions.flatMap((condition, number) => {
      const isText = typeof path.conditions === "string";
      const here = isText ? `${at}.conditions` : `${at}.conditions[${number}]`;
      const { whole } = splitReferences(condition.variable);
      const variable = isText ? here : `${here}.variable`;
      if (whole === undefined)
        return [
          {
            path: variable,
            message: `${JSON.stringify(condition.variable)} is no reference`,
            fix: "Write @{SESSION_ID}.step.field and nothing else.",
          },
        ];
      if (isForeign(whole))
        return [
          {
            path: variable,
            message: `${whole.source} is of another session`,
            fix: `Write @{SESSION_ID}.${whole.step}.`,
          },
        ];
      const operator = condition.operator ?? "==";
      const isUnary = operator === "exists" || operator === "empty";
      const value =
        condition.value === undefined
          ? isUnary
            ? []
            : [{ path: here, message: `The operator ${operator} needs a value`, fix: "Give value." }]
          : inputProblems(condition.value, isText ? here : `${here}.value`, steps, isText);
      const guard = value.length > 0 ? undefined : toGuard({ conditions: [condition], operator: "AND" });
      const problem = guard && syntaxProblem(() => compileGuard(guard));
      const read = problem === undefined ? [] : [{ path: isText ? here : `${here}.value`, ...problem }];
      return [...stepProblems(whole, variable, steps), ...value, ...read];
    });
    return [...ends, ...told];
  });
}

/** Undefined: it can be read. */
function syntaxProblem(work: () => unknown): { message: string; fix: string } | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    return { message: error.message, fix: error.fix ?? "Correct it." };
  }
}

/** What the engine finds in it, such as an input that a function does not take. */
function compiledProblems(spec: SessionGraphSpec, functions: Functions): SourceProblem[] {
  const states = statesOf(Object.keys(spec.steps));
  const definition = compileGraph({ uuid: "check", spec, missing: missingFunction(functions) });
  const { problems } = validateDefinition(definition as unknown as JsonObject, functions); // cast: a definition is JSON
  return problems
    .filter(({ severity }) => severity === "error")
    .map(({ path, message, fix }) => {
      for (const [step, { region, run }] of states) {
        const marker = `.states.${region}.`;
        if (!path.includes(marker)) continue;
        const [, inner] = path.split(`.states.${run}.invoke.input`);
        const given = getOwn(spec.steps, step);
        const isText = typeof given?.input === "string";
        const names = given?.function === REQUEST_FUNCTION ? inner?.replace(/^\.title\b/, ".prompt") : inner;
        const within = names === undefined || isText ? "" : names.replace(/\.\$literal\b/g, "");
        return { path: inner === undefined ? `$.steps.${step}` : `$.steps.${step}.input${within}`, message, fix };
      }
      return { path: "$", message, fix };
    });
}
