import {
  intersectPermissions,
  isGranted,
  isOvenError,
  type Json,
  type JsonObject,
  type OvenError,
  type Principal,
  requestersOf,
} from "@oven/contract";
import type { TriggerTest } from "@oven/contract/trigger";
import type { Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import type { ServiceMap } from "@oven/module-registry";
// What it puts into `services`.
import type {} from "@oven/module-roles";
import { z } from "zod";
import { triggerDeliveries, triggers } from "../schema.ts";
import { DeliveryShaper } from "../shaping/delivery-shaper.ts";
import type { TriggerRow } from "../triggers/trigger-row.ts";
import { type DeliveryRow, decide, release } from "./delivery-rows.ts";
import { askFilter, type Event, toInput } from "./judge.ts";
import { cancelRun, liveRunsOf } from "./live-runs.ts";

const MAX_ATTEMPTS = 8;
/** A chain of events that start runs that make events. */
const MAX_DEPTH = 5;
/** A queued delivery is looked at again even when nobody said that the run before it has ended. */
const QUEUE_RETRY_MS = 15_000;
/** These mean that it may work later. */
const PASSING = new Set(["TOO_MANY_RUNS", "DATABASE_UNREACHABLE"]);

export interface StarterDeps {
  db: Database;
  services: ServiceMap;
  /** Something is held: look at the clock anew. */
  onHeld(): void;
}

/** Decides on deliveries and starts their runs: at most one run for each, whatever crashes between. */
export class TriggerStarter {
  readonly #db: Database;
  readonly #services: ServiceMap;
  readonly #shaper: DeliveryShaper;
  readonly #onHeld: () => void;

  constructor({ db, services, onHeld }: StarterDeps) {
    this.#db = db;
    this.#services = services;
    this.#shaper = new DeliveryShaper(db);
    this.#onHeld = onHeld;
  }

  /**
   * Works on a delivery that was claimed. Never throws: what went wrong is written down.
   * @param whenBusy "release": what there is no room for is given back, and may come again with its key
   * @returns why it was given back
   */
  async work(id: number, now: Date, whenBusy: "retry" | "release" = "retry"): Promise<OvenError | undefined> {
    const [found] = await this.#db.orm
      .select()
      .from(triggerDeliveries)
      .innerJoin(triggers, eq(triggers.id, triggerDeliveries.triggerId))
      .where(eq(triggerDeliveries.id, id));
    if (found === undefined) return undefined;
    const { trigger_deliveries: delivery, triggers: trigger } = found;
    try {
      await this.#decide(delivery, trigger, now);
    } catch (error) {
      if (whenBusy === "release" && isBusy(error)) {
        await release(this.#db, delivery.id, now, error.message);
        return error;
      }
      await this.#failed(delivery, error, now);
    }
    return undefined;
  }

  async #decide(delivery: DeliveryRow, trigger: TriggerRow, now: Date): Promise<void> {
    const close = (decision: "filtered" | "skipped" | "refused", reason: string) =>
      decide(this.#db, delivery.id, now, { decision, reason });
    if (!trigger.enabled) return close("skipped", "The trigger is switched off");
    const principal = await this.principalOf(trigger);
    if (typeof principal === "string") return close("refused", principal);
    const { isBatch, receivedAt: arrivedAt } = delivery;
    const event: Event = { payload: delivery.payload as Json, isBatch, arrivedAt }; // cast: written as JSON
    // What was held had passed the filter before.
    const turnedAway = delivery.holdKind === null ? askFilter(trigger, event) : undefined;
    if (turnedAway !== undefined) return close(turnedAway.decision, turnedAway.reason);
    if (delivery.depth > MAX_DEPTH)
      return close("refused", `More than ${MAX_DEPTH} triggers have started each other in a row`);
    if (isToBeShaped(delivery, trigger)) {
      const isNext = trigger.overlap === "allow";
      const shaped = await this.#shaper.shape(delivery, trigger, event, now, isNext);
      if (shaped.outcome === "closed") return close(shaped.decision, shaped.reason);
      if (shaped.outcome === "held" || !isNext) return this.#onHeld();
    }
    const judged = toInput(trigger, event);
    if (judged.decision !== "started") return close(judged.decision, judged.reason);
    if (trigger.overlap !== "allow") {
      const live = await liveRunsOf(this.#db, this.#services, trigger, principal, now);
      const [first] = live;
      if (first !== undefined) {
        if (trigger.overlap === "skip") return close("skipped", `Run ${first} is still under way`);
        if (trigger.overlap === "queue") {
          const nextAttemptAt = new Date(now.getTime() + QUEUE_RETRY_MS);
          const reason = `Waits until run ${first} has ended`;
          return decide(this.#db, delivery.id, now, { decision: "queued", reason, nextAttemptAt });
        }
        for (const run of live) await cancelRun(this.#services, trigger, principal, run);
      }
    }
    const { runs } = this.#services.workflowPlatform.face(trigger.targetKind);
    // Who fires a trigger asks for the run; what comes from outside is asked for by the person who saved the trigger.
    const starter = { ...principal, requesters: await this.#requestersOf(delivery, principal) };
    const { id } = await runs.execute(starter, {
      workflow: String(trigger.workflowId),
      input: judged.input,
      idempotencyKey: `trigger:${delivery.id}`,
      triggerEvent: delivery.event ?? trigger.type,
    });
    const run = { kind: trigger.targetKind, id };
    await decide(this.#db, delivery.id, now, { decision: "started", reason: null, run });
  }

  /** Of a batch that is all who fired an event of it; for those that came from outside, the person who counts for the trigger. */
  async #requestersOf({ id, firedBy, isBatch, replayOf }: DeliveryRow, principal: Principal): Promise<number[]> {
    if (firedBy !== null) return [firedBy];
    if (!isBatch || replayOf !== null) return requestersOf(principal);
    const asked = await this.#db.query<{ fired_by: number | null }>(
      "select distinct fired_by from trigger_deliveries where merged_into = $1",
      [id],
      "trigger-batch-requesters",
    );
    return [...new Set(asked.flatMap(({ fired_by }) => fired_by ?? requestersOf(principal)))];
  }

  /**
   * The principal that a trigger's runs are started as: the one that saved it, with what it might do then and still may.
   * @returns text: why there is none any more
   */
  async principalOf(trigger: TriggerRow): Promise<Principal | string> {
    const { runsWithKey, runsWithApp, granted, targetKind } = trigger;
    const who = runsWithKey !== null ? "API key" : runsWithApp !== null ? "program" : "person";
    const principal = await this.#saverOf(trigger);
    if (principal === undefined) {
      if (who === "person") return "The person who saved this trigger may not sign in any more";
      return `The ${who} that saved this trigger is no longer ${who === "program" ? "connected" : "valid"}`;
    }
    const permissions = intersectPermissions(granted, principal.permissions);
    const wanted = `${targetKind}s.execute`;
    if (!isGranted(permissions, wanted))
      return `The ${who} that saved this trigger no longer has the permission ${wanted}`;
    const { keyId, ...bounds } = principal;
    return { ...bounds, kind: "user", permissions, ...(keyId === undefined ? {} : { through: { keyId } }) };
  }

  /** With what they may do now; undefined: nothing any more. */
  async #saverOf({ runsAs, runsWithKey, runsWithApp, tenantId }: TriggerRow): Promise<Principal | undefined> {
    const { access } = this.#services;
    if (runsWithKey !== null) return access.findKey(runsWithKey, tenantId);
    if (runsAs === null) return undefined;
    return runsWithApp === null
      ? access.findPrincipal(runsAs, tenantId)
      : access.findApp(runsAs, runsWithApp, tenantId);
  }

  /** What a start would be refused for; nothing is started. */
  async refusalOf(trigger: TriggerRow, by: Principal, input: JsonObject): Promise<Refusal | undefined> {
    const { runs } = this.#services.workflowPlatform.face(trigger.targetKind);
    try {
      await runs.requireStartable(by, { workflow: String(trigger.workflowId), input });
      return undefined;
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal === undefined) throw error;
      return refusal;
    }
  }

  async #failed(delivery: DeliveryRow, error: unknown, now: Date): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    const refusal = toRefusal(error);
    if (refusal !== undefined) return decide(this.#db, delivery.id, now, refusal);
    if (!isBusy(error) && delivery.attempts >= MAX_ATTEMPTS) {
      await decide(this.#db, delivery.id, now, { decision: "failed", reason: message });
      return;
    }
    const wait = waitFor(error, delivery.attempts);
    const nextAttemptAt = new Date(now.getTime() + wait);
    const reason = `Tried ${delivery.attempts} times: ${message}`;
    const decision = delivery.decision === "held" ? "held" : "received";
    await decide(this.#db, delivery.id, now, { decision, reason, nextAttemptAt });
  }
}

interface Refusal {
  decision: "skipped" | "refused";
  reason: string;
  /** By places in the input that was to start the run. */
  problems: TriggerTest["problems"];
}

/** Undefined for what may work later. */
function toRefusal(error: unknown): Refusal | undefined {
  if (!isOvenError(error) || PASSING.has(error.code) || error.status >= 500) return undefined;
  const isOff = error.code === "WORKFLOW_DISABLED" || error.status === 404;
  return {
    decision: isOff ? "skipped" : "refused",
    reason: `${error.code}: ${error.message}`,
    problems: error.code === "INVALID_INPUT" ? problemsOf(error) : [],
  };
}

const ProblemsSchema = z.array(z.looseObject({ path: z.string(), message: z.string() }));

function problemsOf({ details }: OvenError): TriggerTest["problems"] {
  const { data = [] } = ProblemsSchema.safeParse(details?.problems);
  return data.map(({ path, message }) => ({ path: path.replace(/^\$\.input(?=$|[.[])/, "$"), message }));
}

/** What was held stays so after its settings were taken away, until its time has come. */
function isToBeShaped({ decision, shapedAt, replayOf }: DeliveryRow, { shaping }: TriggerRow): boolean {
  return decision === "held" || (shaping !== null && shapedAt === null && replayOf === null);
}

function isBusy(error: unknown): error is OvenError {
  return isOvenError(error) && (error.code === "TOO_MANY_RUNS" || error.code === "TOO_MANY_REQUESTS");
}

function waitFor(error: unknown, attempts: number): number {
  const asked = isOvenError(error) ? (error as OvenError).retryAfterMs : undefined;
  return asked ?? Math.min(600_000, 1_000 * 2 ** Math.min(attempts, 10));
}
