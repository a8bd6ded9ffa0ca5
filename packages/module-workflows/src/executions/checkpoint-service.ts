import { getOwn, isOvenError, type Json, type JsonPatchOp, type Principal } from "@oven/contract";
import type { EvaluateBody, Evaluation, ReplayReport, RunCheckpoint, RunCheckpointDetail } from "@oven/contract/run";
import { inSlices, type Replayed, waitingOf } from "@oven/engine";
import type { RunKind } from "../runtime/run-kinds.ts";
import { AnswerRows, type Page, type PageRange } from "./answer-rows.ts";
import { evaluateAt } from "./evaluate-at.ts";
import type { PastReadings } from "./past-readings.ts";
import type { RunRecordings } from "./run-recordings.ts";

export interface CheckpointServiceDeps {
  kind: RunKind;
  recordings: RunRecordings;
  readings: PastReadings;
}

/** The past of runs: checkpoints, expressions at them, replay. */
export class CheckpointService {
  readonly #deps: CheckpointServiceDeps;

  constructor(deps: CheckpointServiceDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND, CHECKPOINTS_MISSING 409, REPLAY_DIVERGED 409 */
  async list(principal: Principal, id: number): Promise<readonly RunCheckpoint[]> {
    const { readings, recordings, kind } = this.#deps;
    const record = await recordings.record(principal, id);
    return readings.list(`${kind.kind.kind} ${id} ${record.seq}`, async () => {
      const { moves } = await recordings.of(record);
      const checkpoints: RunCheckpoint[] = [];
      await inSlices(moves(), (move) => {
        checkpoints.push(toCheckpoint(move));
        return true;
      });
      return checkpoints;
    });
  }

  /** As many of those asked for as an answer holds. @throws OvenError as `list` */
  async page(principal: Principal, id: number, { first, last }: PageRange): Promise<Page<RunCheckpoint>> {
    const all = await this.list(principal, id);
    const answer = new AnswerRows<RunCheckpoint>();
    all.slice(first, last + 1).every((checkpoint) => answer.add(checkpoint));
    return { rows: answer.rows, total: all.length };
  }

  /** @throws OvenError as `list`; CHECKPOINT_UNKNOWN 422 */
  get(principal: Principal, id: number, seq: number): Promise<RunCheckpointDetail> {
    return this.#deps.recordings.through(principal, id, async ({ at, record }) => {
      const there = await at(seq);
      const { state, context } = there.snapshot;
      return {
        ...toCheckpoint(there),
        context: { trigger: record.input, ...context.values },
        stateValue: state.value,
        waiting: waitingOf(state),
        patch: patchOf(there),
      };
    });
  }

  /** What an expression of its definition would come to at a checkpoint. Nothing is written. @throws OvenError as `get` */
  evaluate(principal: Principal, id: number, { checkpoint, ...asked }: EvaluateBody): Promise<Evaluation> {
    return this.#deps.recordings.through(principal, id, async ({ at, facts, compiled }) => {
      const there = await at(checkpoint);
      return { seq: there.move.seq, ...evaluateAt(facts, compiled, there.snapshot, asked) };
    });
  }

  /** Goes through the run again and says whether it comes out the same. */
  replay(principal: Principal, id: number): Promise<ReplayReport> {
    return this.#deps.recordings.through(principal, id, async ({ moves }) => {
      let [count, lastSeq] = [0, 0];
      try {
        await inSlices(moves(), ({ move }) => {
          [count, lastSeq] = [count + 1, move.seq];
          return true;
        });
      } catch (error) {
        if (!isOvenError(error) || error.code !== "REPLAY_DIVERGED") throw error;
        const { seq = 0, recorded = null, happened = null } = error.details ?? {};
        return { moves: count, lastSeq, same: false, divergence: { seq: Number(seq), recorded, happened } };
      }
      return { moves: count, lastSeq, same: true, divergence: null };
    });
  }
}

function toCheckpoint({ move, plan, snapshot }: Replayed): RunCheckpoint {
  const { cause } = move;
  const [nodeId, visit, item] = "n" in cause ? [cause.n, cause.v, cause.i ?? null] : [null, null, null];
  return {
    seq: move.seq,
    at: new Date(move.at).toISOString(),
    cause: cause.t,
    nodeId,
    visit,
    item,
    activeStates: plan.activeStates,
    steps: snapshot.state.steps,
    end: plan.end?.status ?? null,
  };
}

/** What the move changed, with the outputs it refers to. */
function patchOf({ plan, snapshot }: Replayed): JsonPatchOp[] {
  return (plan.events[0]?.patch ?? []).map((op): JsonPatchOp => {
    if (op.op !== "output") return op;
    const value: Json = getOwn(snapshot.context.values, op.path.slice(1)) ?? null;
    return { op: "add", path: op.path, value };
  });
}
