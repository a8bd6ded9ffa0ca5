import type { Definition, State } from "@oven/contract/workflow";

/** What `on` may call an event: its name, `orders.*` for any that begins so, and `*`. */
export function patternsOf(event: string): string[] {
  const parts = event.split(".");
  const prefixes = parts.slice(0, -1).map((_part, index) => `${parts.slice(0, index + 1).join(".")}.*`);
  return [event, ...prefixes, "*"];
}

/** Whether any state, or the definition, has an `on` handler for one of the patterns. */
export function mayHandleEvent(definition: Pick<Definition, "on" | "states">, patterns: readonly string[]): boolean {
  const inside = ({ on, states, loop }: Pick<State, "on" | "states" | "loop">): boolean =>
    listens(on, patterns) || Object.values({ ...states, ...loop?.bodyStates }).some(inside);
  return inside(definition);
}

/** Whether an active state, one around it, or the definition has an `on` handler for one of the patterns. */
export function handlesEvent(
  definition: Pick<Definition, "on" | "states">,
  activeStates: readonly string[],
  patterns: readonly string[],
): boolean {
  if (listens(definition.on, patterns)) return true;
  // In the id of a composite's inner step, the part before the dot is the state.
  const active = new Set(activeStates.map((id) => id.split(".")[0] ?? id));
  const isReached = (states: Readonly<Record<string, State>>, around: boolean): boolean =>
    Object.entries(states).some(([id, state]) => {
      const here = around || listens(state.on, patterns);
      if (here && active.has(id)) return true;
      return isReached({ ...state.states, ...state.loop?.bodyStates }, here);
    });
  return isReached(definition.states, false);
}

function listens(on: State["on"], patterns: readonly string[]): boolean {
  return on !== undefined && patterns.some((pattern) => Object.hasOwn(on, pattern));
}
