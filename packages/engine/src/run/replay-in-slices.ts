import type { CompiledMachine } from "../compile/machine.ts";
import type { RunContext } from "../expressions/scope.ts";
import type { RunFacts } from "../plan/plan-types.ts";
import { checkpointUnknown, type Replayed, replayMoves } from "../plan/replay.ts";
import type { RunHistory } from "../store.ts";
import { inSlices } from "./slices.ts";

/** As `replay`, without holding the process. @throws OvenError as `replay` */
export async function replayInSlices(
  compiled: CompiledMachine,
  facts: RunFacts,
  start: RunContext,
  history: RunHistory,
  seq = Number.POSITIVE_INFINITY,
): Promise<Replayed> {
  let there: Replayed | undefined;
  await inSlices(replayMoves(compiled, facts, start, history), (at) => {
    if (at.move.seq > seq) return false;
    there = at;
    return true;
  });
  if (there === undefined) throw checkpointUnknown(seq);
  return there;
}
