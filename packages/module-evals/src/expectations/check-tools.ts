import type { Json } from "@oven/contract";
import type { Expectation } from "@oven/contract/eval";
import { getOwn, isObject, isSameJson } from "@oven/engine";
import type { SeenRun } from "./seen-run.ts";
import { bounded, type Verdict, verdict } from "./verdict.ts";

type Of<Type extends Expectation["type"]> = Extract<Expectation, { type: Type }>;

export function checkCalled(wanted: Of<"toolCalled">, { toolCalls }: SeenRun): Verdict {
  const { tool, arguments: least, atLeast, atMost } = wanted;
  const calls = toolCalls.filter((call) => call.tool === tool);
  const fitting = calls.filter((call) => least === undefined || holdsAtLeast(call.arguments, least));
  const seen = bounded(calls.map((call) => call.arguments));
  const count = `${fitting.length} call${fitting.length === 1 ? "" : "s"} of ${tool}${least === undefined ? "" : " fit"}`;
  if (fitting.length < atLeast) return verdict(false, seen, `${count}; at least ${atLeast} expected`);
  return verdict(atMost === undefined || fitting.length <= atMost, seen, `${count}; at most ${atMost} expected`);
}

export function checkNotCalled({ tool }: Of<"toolNotCalled">, { toolCalls }: SeenRun): Verdict {
  const calls = toolCalls.filter((call) => call.tool === tool);
  return verdict(calls.length === 0, bounded(calls.map((call) => call.arguments)), `${tool} was called`);
}

export function checkOrder({ tools }: Of<"toolOrder">, { toolCalls }: SeenRun): Verdict {
  const called = toolCalls.map(({ tool }) => tool);
  let next = 0;
  for (const tool of called) if (tool === tools[next]) next += 1;
  return verdict(next === tools.length, called, `${tools[next]} was not called after the ones before it`);
}

/** Objects may hold more than is wanted; lists and values must be the same. */
function holdsAtLeast(value: Json, wanted: Json): boolean {
  if (!isObject(wanted)) return isSameJson(value, wanted);
  if (!isObject(value)) return false;
  return Object.entries(wanted).every(([key, inner]) => {
    const own = getOwn(value, key);
    return own !== undefined && holdsAtLeast(own, inner);
  });
}
