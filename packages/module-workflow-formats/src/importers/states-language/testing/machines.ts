import type { JsonObject } from "@oven/contract";

/** States one after the other; the last one ends the machine. */
export function machine(states: Readonly<Record<string, JsonObject>>): JsonObject {
  const names = Object.keys(states);
  const linked = names.map((name, index) => {
    const state = states[name] ?? {};
    const next = names[index + 1];
    const isOwn = "Next" in state || "End" in state || ["Choice", "Succeed", "Fail"].includes(String(state.Type));
    return [name, isOwn ? state : { ...state, ...(next === undefined ? { End: true } : { Next: next }) }];
  });
  return { StartAt: names[0] ?? "", States: Object.fromEntries(linked) };
}

/** A machine that answers which of some rules hold, by their numbers. */
export function rulesMachine(rules: readonly JsonObject[]): JsonObject {
  const nameOf = (index: number) => (index < rules.length ? `Ask ${index}` : "End");
  const states = rules.flatMap((rule, index): [string, JsonObject][] => [
    [nameOf(index), { Type: "Choice", Choices: [{ ...rule, Next: `Yes ${index}` }], Default: nameOf(index + 1) }],
    [`Yes ${index}`, { Type: "Pass", Result: true, ResultPath: `$.held.r${index}`, Next: nameOf(index + 1) }],
  ]);
  return {
    StartAt: nameOf(0),
    States: { ...Object.fromEntries(states), End: { Type: "Succeed", OutputPath: "$.held" } },
  };
}
