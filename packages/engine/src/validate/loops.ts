import { UNSAFE_NAMES } from "@oven/contract";
import type { Loop } from "@oven/contract/workflow";
import { LOOP_NODES, loopOf } from "../compile/compile-loop.ts";
import { READ_ONLY_ROOTS } from "../expressions/scope.ts";
import { fixedValue } from "./fixed-value.ts";
import { suggest } from "./nearest.ts";
import type { PathPart, Problems } from "./problems.ts";
import type { Listed } from "./state-list.ts";

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** What a loop may be made of. */
export function checkLoop({ state, path }: Listed, problems: Problems): void {
  const loop = loopOf(state);
  if (!loop) return;
  const at = [...path, "loop"];
  for (const key of ["states", "initial", "onDone", "onError", "type", "output", "outcome"] as const) {
    if (state[key] === undefined || (key === "type" && (state.type === "atomic" || state.type === "compound")))
      continue;
    const fix = key === "onDone" || key === "onError" ? `Move it to loop.${key}.` : "Remove it.";
    problems.error([...path, key], "structure", `A loop has no ${key} beside it`, fix);
  }
  if (state.always) {
    problems.error(
      [...path, "always"],
      "always-with-loop",
      "always beside loop would leave before the loop ran",
      "Use onDone inside loop.",
    );
  }
  checkInvoke(loop, state, path, problems);
  checkSource(loop, at, problems);
  checkVariables(loop, at, problems);
  const names = Object.keys(loop.bodyStates);
  if (!names.includes(loop.bodyInitial)) {
    problems.error(
      [...at, "bodyInitial"],
      "initial",
      `bodyInitial names ${loop.bodyInitial}, which is not a state of the body`,
      suggest(loop.bodyInitial, names, `Use one of ${names.slice(0, 5).join(", ")}.`),
    );
  }
  if (loop.type === "while" && loop.concurrency !== undefined && loop.concurrency > 1) {
    problems.error(
      [...at, "concurrency"],
      "loop",
      "A while loop decides after each pass whether there is another, so its passes cannot run side by side",
      "Leave concurrency out, or make it a forEach.",
    );
  }
  if (loop.onDone === undefined) {
    problems.error(at, "dead-end", "Nothing follows when the loop is done", "Add loop.onDone.");
  }
}

/** `invoke: {src: core.forEach}` beside `loop` only carries onDone and onError. */
function checkInvoke(loop: Loop, { invoke }: Listed["state"], path: PathPart[], problems: Problems): void {
  if (!invoke) return;
  const at = [...path, "invoke"];
  if (invoke.src !== LOOP_NODES[loop.type]) {
    problems.error(
      [...at, "src"],
      "structure",
      `A state with a loop cannot invoke ${invoke.src}`,
      `Move the node into the loop's body, or name ${LOOP_NODES[loop.type]}.`,
    );
  }
  for (const key of ["version", "input", "timeoutMs", "retry"] as const) {
    if (invoke[key] === undefined) continue;
    problems.error([...at, key], "structure", `invoke.${key} means nothing beside loop`, "Set it inside loop.");
  }
}

function checkSource(loop: Loop, at: PathPart[], problems: Problems): void {
  const [needs, refuses] =
    loop.type === "forEach" ? (["collection", "condition"] as const) : (["condition", "collection"] as const);
  if (loop[needs] === undefined) problems.error(at, "loop", `A ${loop.type} loop needs ${needs}`, `Add loop.${needs}.`);
  if (loop[refuses] !== undefined)
    problems.error([...at, refuses], "loop", `A ${loop.type} loop has no ${refuses}`, "Remove it, or change type.");
  const list = loop.collection === undefined ? undefined : fixedValue(loop.collection);
  if (list !== undefined && !Array.isArray(list)) {
    problems.error(
      [...at, "collection"],
      "loop",
      `The loop goes through a list, and ${JSON.stringify(list)} is none`,
      "Name the list by its path, such as $.trigger.items, or write a list.",
    );
  }
  if (loop.type === "while" && loop.itemVariable !== undefined)
    problems.error([...at, "itemVariable"], "loop", "A while loop has no item", "Remove it.");
}

function checkVariables(loop: Loop, at: PathPart[], problems: Problems): void {
  const { itemVariable = "item", indexVariable = "index" } = loop;
  for (const [key, name, own] of [
    ["itemVariable", itemVariable, "item"],
    ["indexVariable", indexVariable, "index"],
  ] as const) {
    if (name !== own && (READ_ONLY_ROOTS.has(name) || !VARIABLE_NAME.test(name) || UNSAFE_NAMES.has(name)))
      problems.error([...at, key], "loop", `${JSON.stringify(name)} cannot be a variable here`, "Choose another name.");
  }
  if (itemVariable === indexVariable)
    problems.error([...at, "indexVariable"], "loop", "Item and index have the same name", "Choose another name.");
}
