import { type Definition, type Guard, type State, type Transition, toTransitions } from "@oven/contract/workflow";
import { loopOf } from "../compile/compile-loop.ts";
import { passDisabled } from "../compile/pass-disabled.ts";

/** Words that Mermaid reads as its own. */
const RESERVED: ReadonlySet<string> = new Set([
  "state",
  "note",
  "end",
  "as",
  "direction",
  "class",
  "classDef",
  "style",
  "default",
  "click",
  "href",
]);

/** A definition as a Mermaid `stateDiagram-v2`: groups, regions and loops as nested states, one arrow per branch. */
export function toMermaid(given: Definition): string {
  const definition = passDisabled(given);
  const lines = ["stateDiagram-v2"];
  addStates(lines, definition.states, definition.initial, definition.type === "parallel", 1);
  for (const [event, list] of Object.entries(definition.on ?? {})) {
    for (const { target, guard } of toTransitions(list)) {
      if (target === undefined) continue;
      lines.push(`  note right of ${nameOf(target)}: ${text(`anywhere, on ${event}${condition(guard)}`)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function addStates(
  lines: string[],
  states: Record<string, State>,
  initial: string | undefined,
  parallel: boolean,
  depth: number,
): void {
  const indent = "  ".repeat(depth);
  if (!parallel && initial !== undefined) lines.push(`${indent}[*] --> ${nameOf(initial)}`);
  Object.entries(states).forEach(([id, state], index) => {
    if (parallel && index > 0) lines.push(`${indent}--`);
    addState(lines, id, state, depth);
  });
}

function addState(lines: string[], id: string, state: State, depth: number): void {
  const indent = "  ".repeat(depth);
  const name = nameOf(id);
  const loop = loopOf(state);
  lines.push(`${indent}state "${text(titleOf(id, state))}" as ${name}`);
  const inner = loop ? loop.bodyStates : state.states;
  if (inner) {
    lines.push(`${indent}state ${name} {`);
    addStates(lines, inner, loop ? loop.bodyInitial : state.initial, state.type === "parallel", depth + 1);
    lines.push(`${indent}}`);
  }
  if (state.type === "final") lines.push(`${indent}${name} --> [*]`);
  const arrow = (list: Transition | undefined, label: string): void => {
    for (const { target, guard } of toTransitions(list)) {
      if (target === undefined) continue;
      const said = text(`${label}${condition(guard)}`);
      lines.push(`${indent}${name} --> ${nameOf(target)}${said === "" ? "" : `: ${said}`}`);
    }
  };
  arrow(loop ? loop.onDone : (state.invoke?.onDone ?? state.onDone), "");
  arrow(loop ? loop.onError : (state.invoke?.onError ?? state.onError), "error");
  arrow(state.undo, "undo");
  arrow(state.always, "");
  for (const [event, list] of Object.entries(state.on ?? {})) arrow(list, `on ${event}`);
  for (const [key, list] of Object.entries(state.after ?? {}))
    arrow(list, `after ${/^\d+$/.test(key) ? `${key} ms` : key}`);
  if (state.type === "history" && state.target !== undefined) arrow(state.target, "at first");
}

function titleOf(id: string, state: State): string {
  if (state.type === "history") return state.history === "deep" ? "H*" : "H";
  const title = state.label ?? id;
  if (state.loop) return `${title} (${state.loop.type === "forEach" ? "for each" : "while"})`;
  return state.invoke ? `${title} (${state.invoke.src})` : title;
}

function condition(guard: Guard | undefined): string {
  return guard ? ` [${describe(guard)}]` : "";
}

function describe(guard: Guard): string {
  switch (guard.type) {
    case "condition": {
      const { key, operator, value } = guard.params;
      return value === undefined ? `${key} ${operator}` : `${key} ${operator} ${JSON.stringify(value)}`;
    }
    case "cel":
      return guard.params.expression;
    case "not":
      return `not (${describe(guard.guard)})`;
    default:
      return guard.guards.map(describe).join(guard.type === "all" ? " and " : " or ");
  }
}

/** Ids may hold dashes, which Mermaid reads as arrows. `_` is doubled so that two ids never become one. */
function nameOf(id: string): string {
  return RESERVED.has(id) || id.includes("-") || id.startsWith("s_")
    ? `s_${id.replaceAll("_", "__").replaceAll("-", "_d")}`
    : id;
}

/** What would end a label, or be read as markup, as its entity. */
function text(label: string): string {
  return label
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[#"&<>;:]/g, (character) => `#${character.codePointAt(0)};`);
}
