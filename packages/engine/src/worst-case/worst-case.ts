import type { Definition } from "@oven/contract/workflow";
import { compileDefinition } from "../compile/compile-definition.ts";
import { passDisabled } from "../compile/pass-disabled.ts";
import { MAX_DEPTH } from "../plan/limits.ts";
import type { NodeCatalog } from "../ports.ts";
import type { WorstCaseFacts } from "./ceiling.ts";
import { RunWalk } from "./run-walk.ts";
import { NOTHING, type Totals } from "./totals.ts";

/**
 * What a run of a definition needs at most, by quantity: guards are taken as open, calls as failing as often as they may be
 * repeated, lists as being as long as their loop takes them. `active` and `waiting` together are the time from start to end.
 *
 * It does not count what faults of the installation add: calls that are repeated because a worker was lost, what people are asked
 * about those, time in queues, and pauses that another server asks for.
 * @param definition a valid one
 */
export function worstCase(definition: Definition, catalog: NodeCatalog, facts: WorstCaseFacts): Totals {
  const known = new Map<string, Totals>();
  const ofRun = (given: Definition, key: string, part: string | null, depth: number): Totals => {
    // Such a run is never started.
    if (depth > MAX_DEPTH) return NOTHING;
    const name = JSON.stringify([key, part, depth]);
    const before = known.get(name);
    if (before !== undefined) return before;
    const compiled = compileDefinition(given, catalog, { part });
    const totals = new RunWalk(compiled, passDisabled(given), {
      ceiling: facts.ceiling,
      children: (call) => facts.called(call).map((child) => ofRun(child.definition, child.key, null, depth + 1)),
      pass: (loopId) => ofRun(given, key, loopId, depth + 1),
    }).whole();
    known.set(name, totals);
    return totals;
  };
  return ofRun(definition, "", null, 0);
}
