import type { EventEnvelope } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { getTableName } from "@oven/db/drizzle";
import type { ExecutionStore, RunState } from "@oven/engine";
import { namesOf, type RunKind, type RunKinds } from "../runtime/run-kinds.ts";
import { CorrelatedEventSchema } from "./correlated-event.ts";
import { handlesEvent, mayHandleEvent, patternsOf } from "./handles-event.ts";

export interface CorrelatedEventsDeps {
  db: Database;
  kinds: RunKinds;
  store: Pick<ExecutionStore, "sendSignal">;
  wake(executionId: number): Promise<void>;
}

interface LiveRun extends Record<string, unknown> {
  id: number;
  workflow_id: number;
  workflow_version: number;
  active_states: string[];
  state: RunState | null;
}

const LIVE = "status in ('pending', 'running', 'paused')";

/**
 * Hands an event that a run emitted with a correlation to every run of its tenant that waits for it. At least once, like
 * every delivery of the outbox; a run takes it once, because the event's id is the key of the signal.
 */
export class CorrelatedEvents {
  readonly #deps: CorrelatedEventsDeps;

  constructor(deps: CorrelatedEventsDeps) {
    this.#deps = deps;
  }

  async deliver({ id, tenantId, payload: raw }: EventEnvelope): Promise<void> {
    const { event, payload, correlation } = CorrelatedEventSchema.parse(raw);
    const { kinds, store, wake } = this.#deps;
    for (const kind of kinds.all()) {
      for (const executionId of await this.#waiting(kind, tenantId, event, correlation)) {
        const signal = { type: "event" as const, data: { event, payload, correlation } };
        if (await store.sendSignal(executionId, signal, `outbox:${id}`)) await wake(executionId);
      }
    }
  }

  /**
   * Looked for in the text of what live runs have in store, as it was written: JSON functions could refuse to read it (a NUL
   * somewhere in it). Then decided exactly.
   */
  async #waiting(kind: RunKind, tenantId: number, event: string, correlation: string): Promise<number[]> {
    const patterns = patternsOf(event);
    const handling = await this.#handlingVersions(kind, tenantId, patterns);
    const { executions, workflowId } = namesOf(kind);
    const runs = await this.#deps.db.query<LiveRun>(
      `select id, ${workflowId} as workflow_id, workflow_version, active_states, state from ${executions}
       where tenant_id = $1 and ${LIVE} and (
         position($2 in state::text) > 0
           and (position($5 in state::text) > 0 or position('"correlation":null' in state::text) > 0)
         or (${workflowId}, workflow_version) in (select * from unnest($3::bigint[], $4::int[])))`,
      [
        tenantId,
        JSON.stringify(event),
        [...handling.values()].map(({ id }) => id),
        [...handling.values()].map(({ version }) => version),
        `"correlation":${JSON.stringify(correlation)}`,
      ],
      `waiting-${executions}`,
    );
    return runs
      .filter((run) => {
        if (waitsFor(run.state, event, correlation)) return true;
        const version = handling.get(`${run.workflow_id}@${run.workflow_version}`);
        return version !== undefined && handlesEvent(version.definition, run.active_states, patterns);
      })
      .map(({ id }) => id);
  }

  /** Versions of the tenant's live runs that have an `on` handler for one of the patterns. */
  async #handlingVersions(
    kind: RunKind,
    tenantId: number,
    patterns: readonly string[],
  ): Promise<Map<string, { id: number; version: number; definition: Definition }>> {
    const { executions, workflowId } = namesOf(kind);
    const rows = await this.#deps.db.query<{ id: number; version: number; definition: Definition }>(
      `with live as materialized (
         select distinct ${workflowId} as id, workflow_version as version from ${executions} where tenant_id = $1 and ${LIVE})
       select live.id, live.version, v.definition from live
       join ${getTableName(kind.tables.versions)} v on v.${workflowId} = live.id and v.version = live.version
       where exists (select 1 from unnest($2::text[]) as name where position(name in v.definition::text) > 0)`,
      [tenantId, patterns.map((pattern) => JSON.stringify(pattern))],
      `handling-${executions}`,
    );
    const handling = rows.filter(({ definition }) => mayHandleEvent(definition, patterns));
    return new Map(handling.map((row) => [`${row.id}@${row.version}`, row]));
  }
}

function waitsFor(state: RunState | null, event: string, correlation: string): boolean {
  return (state?.units ?? []).some(
    ({ status, wait }) =>
      status === "waiting" &&
      wait?.for === "event" &&
      wait.event === event &&
      (wait.correlation === null || wait.correlation === correlation),
  );
}
