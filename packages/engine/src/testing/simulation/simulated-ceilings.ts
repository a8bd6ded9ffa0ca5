import type { Json } from "@oven/contract";
import type { Ceiling, CeilingCall, WorstCaseFacts } from "../../index.ts";
import type { Shape } from "./shape.ts";
import { SPEND } from "./simulated-nodes.ts";

const MINUTE_MS = 60_000;

/**
 * What simulated nodes need at most. A shape is found by the variable in which its state counts its visits, which every call
 * names as an input.
 */
export function simulatedFacts(shapes: ReadonlyMap<string, Shape>): WorstCaseFacts {
  return {
    ceiling: (call) => ceilingOf(call, shapes.get(stateOf(call.input.visit))),
    called: () => [],
  };
}

function stateOf(visit: Json | undefined): string {
  return String(visit).replace(/^\$\.v_/, "");
}

function ceilingOf({ src }: CeilingCall, shape: Shape | undefined): Ceiling {
  if (!shape) throw new Error(`no shape for ${src}`);
  const once = { calls: 1, tokens: SPEND.tokenUsage.total, costMicros: SPEND.costMicros, active: 0 };
  const again = { calls: 1, tokens: SPEND.tokenUsage.total, costMicros: SPEND.costMicros };
  const waiting = shape.minutes * MINUTE_MS;
  switch (src.split(".")[0]) {
    case "review": {
      const due = shape.timed ? waiting : { code: "no-deadline" };
      return { perCall: once, perVisit: { ...again, reviews: 1, waiting: due } };
    }
    case "sleep":
      return { perCall: once, perVisit: { ...again, waiting } };
    case "listen":
      return { perCall: once, perVisit: { ...again, waiting: shape.timed ? waiting : { code: "no-deadline" } } };
    case "items": {
      const { calls, tokens, costMicros } = once;
      const all = 1 + shape.size;
      const each = { calls: calls * all, tokens: tokens * all, costMicros: costMicros * all, active: 0 };
      return { perCall: each, perVisit: again, inARow: shape.size };
    }
    default:
      return { perCall: once };
  }
}
