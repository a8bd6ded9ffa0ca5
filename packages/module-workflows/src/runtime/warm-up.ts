import { type JsonObject, SHARED_TENANT, SYSTEM_PRINCIPAL } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { type Clock, type NodeCatalog, type NodeRunner, outlineOf, type RunCommit, RunEngine } from "@oven/engine";
import type { ConfiguredDefinitions } from "../definitions/configured-definitions.ts";
import type { LogRow } from "./claim-statements.ts";
import { toLeasedRun } from "./insert-execution.ts";
import type { RunRow } from "./run-columns.ts";
import type { RunKind, RunKinds } from "./run-kinds.ts";
import type { NodeRow } from "./run-row.ts";
import { SqlStore } from "./sql-store.ts";

/** An id that no run and no review has: theirs begin at 1. */
export const NO_ID = 0;
const WORKER = "warm-up";
const LEASE_MS = 60_000;

/** Waits for a person and goes on, without an effect anywhere. */
const DEFINITION = {
  initial: "ask",
  states: {
    ask: { invoke: { src: "core.requestInput", version: 1, input: { title: "Ready?" }, onDone: "next" } },
    next: { invoke: { src: "core.transform", version: 1, input: { mapping: { ready: true } }, onDone: "done" } },
    done: { type: "final", output: "$.next_output" },
  },
};

export interface WarmUpOptions {
  db: Database;
  kinds: RunKinds;
  definitions: ConfiguredDefinitions;
  catalog: NodeCatalog;
  nodes: NodeRunner;
  clock: Clock;
}

/**
 * One run of each kind as if it were, paused by a person and gone on with: what a process does for the first time takes ten
 * times as long, in the code as in the database, and the first run that matters should not be it. Each statement is sent for a
 * run that does not exist, so nothing is written.
 * @returns the statuses in which they ended
 */
export async function warmUp(options: WarmUpOptions): Promise<string[]> {
  const ends: string[] = [];
  for (const kind of options.kinds.all()) ends.push(await warmUpKind(kind, options));
  return ends;
}

async function warmUpKind(kind: RunKind, options: WarmUpOptions): Promise<string> {
  const { db, kinds, definitions, catalog, nodes, clock } = options;
  const store = new WarmUpStore(db, kinds);
  const run = {
    kind: kind.kind.kind,
    workflowId: NO_ID,
    workflowVersion: 1,
    tenantId: SHARED_TENANT,
    input: {},
    principal: { ...SYSTEM_PRINCIPAL, tenantId: SHARED_TENANT },
  };
  const pinned = { ...run, part: null, options: null };
  // Where a published version would be read from; there is none.
  await definitions.load(pinned).catch(() => undefined);
  const definition = DEFINITION as unknown as Definition; // cast: compiling it checks it
  const { compiled } = await definitions.compile(pinned, DEFINITION as unknown as JsonObject); // cast: plain JSON
  const engine = new RunEngine({
    store,
    nodes,
    catalog,
    clock,
    definitions: {
      load: async () => ({ compiled, workflowName: WORKER }),
      outline: async () => outlineOf(definition, null),
    },
    ids: { review: async () => NO_ID, executions: async () => [] },
    worker: WORKER,
    leaseMs: LEASE_MS,
    onError: (cause) => console.warn(`warm-up: ${String(cause)}`),
  });
  const lease = { id: NO_ID, worker: WORKER, milliseconds: LEASE_MS, workflow: { name: WORKER, slug: WORKER } };
  const leased = toLeasedRun(kind, run, lease);
  store.registerLease(leased);
  await engine.advance(NO_ID);
  store.cacheClaim(NO_ID, { kind, answers: store.asDecided(leased.row) });
  await engine.advance(NO_ID);
  await engine.stop();
  return store.status;
}

/** The store as it is, but for what the database answers to commits: that they were written. */
class WarmUpStore extends SqlStore {
  readonly #commits: RunCommit[] = [];

  constructor(db: Database, kinds: RunKinds) {
    const batch: Database["batch"] = async (calls) => {
      await db.batch(calls);
      return calls.map(() => true);
    };
    const believing: Database = Object.create(db, { batch: { value: batch } });
    super(believing, kinds, {
      onWritten: () => undefined,
      hasListeners: () => false,
      hasMatchingListener: () => false,
    });
  }

  get status(): string {
    return this.#commits.at(-1)?.columns.status ?? "pending";
  }

  override commit(commit: RunCommit): Promise<boolean> {
    this.#commits.push(commit);
    return super.commit(commit);
  }

  /** The run as a claim would find it after a decision. */
  asDecided(row: RunRow): [RunRow[], LogRow[], NodeRow[], never[]] {
    const last = this.#commits.at(-1);
    const log = this.#commits.flatMap(({ seq, events }) =>
      events.map(
        ({ patch, cause }, index): LogRow => ({ seq: seq + index + 1, patch: patch ?? null, cause: cause ?? null }),
      ),
    );
    const changes = this.#commits.flatMap(({ rows }) => rows);
    const started = changes.find((change) => change.type === "start");
    const waits = changes.find((change) => change.type === "wait");
    const paused: NodeRow = {
      node_id: "ask",
      visit: 1,
      item: null,
      attempt: 1,
      status: "paused",
      input: started?.input ?? {},
      output: null,
      wait: waits?.wait ?? null,
      error_info: null,
      duration_ms: null,
    };
    const decision = {
      id: NO_ID,
      type: "decision",
      data: {
        reviewId: NO_ID,
        nodeId: "ask",
        visit: 1,
        item: null,
        action: "submit",
        data: {},
        reason: null,
        reviewer: null,
        decidedAt: new Date().toISOString(),
      },
    };
    const held = { ...row, epoch: row.epoch + 1, seq: log.length, status: last?.columns.status ?? row.status };
    return [
      [{ ...held, state: last?.state ?? null, signalled: true }],
      log.filter(({ seq, patch }) => patch !== null || seq === 1),
      [paused],
      [decision as never],
    ];
  }
}
