import type { EventEnvelope } from "@oven/contract";
import type { TriggerTarget } from "@oven/contract/trigger";
import type { Clock, Database } from "@oven/db";
import { inArray } from "@oven/db/drizzle";
import { type EventService, matchesEvent } from "@oven/module-registry";
import { z } from "zod";
import { triggers } from "../schema.ts";
import type { TriggerCatalog } from "../triggers/trigger-catalog.ts";
import type { TriggerRow } from "../triggers/trigger-row.ts";
import { insertArrivals } from "./delivery-rows.ts";
import { WantedEvents } from "./wanted-events.ts";

/** An event that a run has caused, such as a change of a row. */
const CausedSchema = z.looseObject({
  run: z.object({ kind: z.enum(["workflow", "agent-workflow"]), id: z.int().positive() }),
});
const OF_A_RUN = /^(workflows|agents-workflow)\.(execution|node|review)\./;

/** Hands events of the outbox to the triggers that take them. */
export class EventIntake {
  readonly #db: Database;
  readonly #catalog: TriggerCatalog;
  readonly #clock: Clock;
  readonly #onArrival: () => void;
  readonly wanted: WantedEvents;

  constructor(deps: { db: Database; catalog: TriggerCatalog; clock: Clock; onArrival(): void }) {
    this.#db = deps.db;
    this.#catalog = deps.catalog;
    this.#clock = deps.clock;
    this.#onArrival = () => deps.onArrival();
    this.wanted = new WantedEvents(deps.db, async () =>
      (await this.#listeners()).flatMap((row) => [...this.#eventsOf(row)]),
    );
  }

  listen(events: EventService): void {
    events.subscribe(
      "module-triggers:event",
      (name) => this.wanted.includes(name),
      (event) => this.take(event),
    );
  }

  async take(event: EventEnvelope): Promise<void> {
    const rows = await this.#listeners();
    const wanted = rows.filter(
      (row) =>
        row.tenantId === event.tenantId &&
        this.#eventsOf(row).some((pattern) => matchesEvent(pattern, event.name)) &&
        this.#takes(row, event) &&
        !isOfTarget(row, event),
    );
    if (wanted.length === 0) return;
    const now = await this.#clock();
    const depth = (await this.#depthOf(event)) + 1;
    const arrival = { key: `event:${event.id}`, payload: event.payload, event: event.name, depth };
    for (const row of wanted) await insertArrivals(this.#db, row, [arrival], now);
    this.#onArrival();
  }

  #eventsOf(row: TriggerRow): readonly string[] {
    const type = this.#catalog.find(row.type);
    return type?.events?.(row.config) ?? [];
  }

  #takes({ type, config }: TriggerRow, event: EventEnvelope): boolean {
    return this.#catalog.find(type)?.takes?.(config, event) ?? true;
  }

  async #listeners(): Promise<TriggerRow[]> {
    const types = this.#catalog.list().flatMap(({ id }) => (this.#catalog.find(id)?.events === undefined ? [] : [id]));
    if (types.length === 0) return [];
    const rows = await this.#db.orm.select().from(triggers).where(inArray(triggers.type, types));
    return rows.filter(({ enabled }) => enabled);
  }

  /** How many triggers led to the run that this event tells of. */
  async #depthOf(event: EventEnvelope): Promise<number> {
    const run = runOf(event);
    if (run === undefined) return 0;
    const [row] = await this.#db.query<{ depth: number }>(
      "select depth from trigger_deliveries where execution_kind = $1 and execution_id = $2 order by id limit 1",
      [run.kind, run.id],
    );
    return row?.depth ?? 0;
  }
}

function kindOf(event: EventEnvelope): TriggerTarget["kind"] {
  return event.name.startsWith("workflows.") ? "workflow" : "agent-workflow";
}

/** The run that an event tells of, or that has caused it. */
function runOf(event: EventEnvelope): { kind: TriggerTarget["kind"]; id: number } | undefined {
  if (!OF_A_RUN.test(event.name)) return CausedSchema.safeParse(event.payload).data?.run;
  const { executionId, id } = event.payload;
  const run = typeof executionId === "number" ? executionId : id;
  return typeof run === "number" ? { kind: kindOf(event), id: run } : undefined;
}

/** A workflow that is started by what its own runs say would never end. */
function isOfTarget({ targetKind, workflowId }: TriggerRow, event: EventEnvelope): boolean {
  if (!OF_A_RUN.test(event.name) || kindOf(event) !== targetKind) return false;
  const { workflowId: regular, agentWorkflowId } = event.payload;
  return (targetKind === "workflow" ? regular : agentWorkflowId) === workflowId;
}
