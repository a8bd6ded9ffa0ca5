import { randomUUID } from "node:crypto";
import { OvenError } from "@oven/contract";
import { type BudgetSpend, budgetProblem, type ModelBudget } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import type { EventService } from "@oven/module-registry";
import type { Timing } from "../limits/timing.ts";
import { TenantRows, toStamps } from "../rows/tenant-rows.ts";
import { aiBudgetSpend, aiBudgets } from "../tables/ai-budgets.table.ts";
import type { ModelCaller } from "../usage/record-usage.ts";
import { tellExhausted } from "./budget-exhausted.ts";
import { periodOf, subjectOf } from "./budget-subject.ts";

type Events = Pick<EventService, "write" | "wake">;
type Budget = typeof aiBudgets.$inferSelect;

export interface Amount {
  micros: number;
  tokens: number;
}

/** What was set aside for one call, in every budget it falls under. */
export interface Reservation {
  /** What it really cost. */
  settle(spent: Amount): Promise<void>;
}

interface ReservationRequest {
  caller: ModelCaller;
  /** What the call may cost at most; micros is null when the model has no price. `guessed`: it may cost more all the same. */
  most: { micros: number | null; tokens: number; guessed: boolean };
  model: string;
  /** After this the process is taken for dead, and the call for as dear as it may have been. */
  givenUpAfterMs: number;
  /** How long to wait for calls that hold the rest of a budget. */
  waitMs: number;
  /** Budgets that somebody has released for this one call. */
  released: readonly number[];
  signal: AbortSignal;
}

/*
 * One statement on one row checks and reserves, so that parallel calls cannot both take what is left for one. A call goes
 * ahead when all that is spent, held and may come stays within the limit. Near the limit, where what it may cost does not fit
 * any more, it goes ahead only when no other call holds anything; and of the calls whose longest answer nobody knows, one
 * goes at a time: so the limit is exceeded by one call at most.
 */
const RESERVE = `
insert into ai_budget_spend as s (tenant_id, budget_id, subject, period, reservations)
select $1::int, b.id, $3, $4, jsonb_build_object($5::text, jsonb_build_array($6::bigint, $7::bigint, $8::bigint, $13::int))
from ai_budgets b where b.id = $2 for key share
on conflict (budget_id, subject, period) do update set reservations = s.reservations || excluded.reservations, updated_at = now()
where $12::boolean or (
  ($9::bigint is null or s.spent_micros + (select coalesce(sum((r.value ->> 0)::bigint), 0) from jsonb_each(s.reservations) r) < $9::bigint)
  and ($10::bigint is null or s.spent_tokens + (select coalesce(sum((r.value ->> 1)::bigint), 0) from jsonb_each(s.reservations) r) < $10::bigint)
  and ($13::int = 0 or not exists (
    select 1 from jsonb_each(s.reservations) r where (r.value ->> 3)::int = 1 and (r.value ->> 2)::bigint > $11::bigint
  ))
  and (
    not exists (select 1 from jsonb_each(s.reservations) r where (r.value ->> 2)::bigint > $11::bigint)
    or (
      ($9::bigint is null or s.spent_micros + $6::bigint + (select coalesce(sum((r.value ->> 0)::bigint), 0) from jsonb_each(s.reservations) r) <= $9::bigint)
      and ($10::bigint is null or s.spent_tokens + $7::bigint + (select coalesce(sum((r.value ->> 1)::bigint), 0) from jsonb_each(s.reservations) r) <= $10::bigint)
    )
  )
)
returning s.id`;

const SETTLE = `
update ai_budget_spend set reservations = reservations - $2::text, updated_at = now(),
  spent_micros = spent_micros + $3::bigint, spent_tokens = spent_tokens + $4::bigint
where id = $1 and reservations ? $2::text`;

const POLL_MS = 200;

/** What may be spent on models. */
export class Budgets {
  readonly #db: Database;
  readonly #timing: Timing;
  readonly #events: Events | undefined;

  /** @param events where it is told that a budget is spent */
  constructor(db: Database, timing: Timing, events?: Events) {
    this.#db = db;
    this.#timing = timing;
    this.#events = events;
  }

  /** @throws OvenError BUDGET_EXHAUSTED, BUDGET_HELD, MODEL_PRICE_UNKNOWN; the reason of the signal */
  async reserve(request: ReservationRequest): Promise<Reservation> {
    const { caller, most, model } = request;
    const budgets = await this.#db.orm
      .select()
      .from(aiBudgets)
      .where(and(eq(aiBudgets.tenantId, caller.tenantId), eq(aiBudgets.enabled, true)))
      .orderBy(aiBudgets.id);
    const held: { id: number; call: string }[] = [];
    const settle = async ({ micros, tokens }: Amount) => {
      for (const { id, call } of held.splice(0)) await this.#db.query(SETTLE, [id, call, micros, tokens]);
    };
    try {
      for (const budget of budgets) {
        const subject = subjectOf(budget, caller);
        if (subject === undefined) continue;
        if (budget.limitMicros !== null && most.micros === null) throw priceUnknown(budget, model);
        const reserved = await this.#reserveOne(budget, subject, request);
        if (reserved !== undefined) held.push(reserved);
      }
    } catch (error) {
      await settle({ micros: 0, tokens: 0 });
      throw error;
    }
    return { settle };
  }

  /** Undefined: the budget was deleted meanwhile. */
  async #reserveOne(
    budget: Budget,
    subject: string,
    request: ReservationRequest,
  ): Promise<{ id: number; call: string } | undefined> {
    const { caller, most, givenUpAfterMs, waitMs, released, signal } = request;
    const call = randomUUID();
    const until = this.#timing.now() + waitMs;
    for (;;) {
      const now = this.#timing.now();
      const period = periodOf(budget, now);
      const second = Math.floor(now / 1_000);
      const [row] = await this.#db.query<{ id: number }>(RESERVE, [
        ...[budget.tenantId, budget.id, subject, period],
        ...[call, most.micros ?? 0, most.tokens, second + Math.ceil(givenUpAfterMs / 1_000)],
        ...[budget.limitMicros, budget.limitTokens, second, released.includes(budget.id), most.guessed ? 1 : 0],
      ]);
      if (row !== undefined) return { id: row.id, call };
      const spend = await this.#find(budget.id, subject, period);
      if (spend === undefined) return undefined;
      if (isSpent(budget, spend, second)) {
        if (this.#events !== undefined) await tellExhausted(this.#db, this.#events, budget, spend, caller);
        throw exhausted(budget, subject, period, spend);
      }
      if (now >= until) throw stillHeld(budget, subject);
      await this.#timing.pause(Math.min(POLL_MS, until - now), signal);
    }
  }

  /** What was spent of a budget, latest first. */
  async spendOf(tenantId: number, budgetId: number): Promise<BudgetSpend[]> {
    const rows = await this.#db.query<{ id: number }>(
      "select id from ai_budget_spend where tenant_id = $1 and budget_id = $2 order by updated_at desc, id desc limit 1000",
      [tenantId, budgetId],
    );
    const order = new Map(rows.map(({ id }, index) => [id, index]));
    const found = await this.#db.orm
      .select()
      .from(aiBudgetSpend)
      .where(and(eq(aiBudgetSpend.tenantId, tenantId), eq(aiBudgetSpend.budgetId, budgetId)));
    return found
      .filter(({ id }) => order.has(id))
      .sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0))
      .map(toSpend);
  }

  async #find(budgetId: number, subject: string, period: string): Promise<SpendRow | undefined> {
    const [row] = await this.#db.orm
      .select()
      .from(aiBudgetSpend)
      .where(
        and(eq(aiBudgetSpend.budgetId, budgetId), eq(aiBudgetSpend.subject, subject), eq(aiBudgetSpend.period, period)),
      );
    return row;
  }
}

type SpendRow = typeof aiBudgetSpend.$inferSelect;

/** Whether nothing would be left even if every call in flight cost nothing. What dead processes held counts as spent. */
function isSpent(budget: Budget, row: SpendRow, second: number): boolean {
  const dead = Object.values(row.reservations).filter(([, , until]) => until <= second);
  const micros = row.spentMicros + dead.reduce((sum, [one]) => sum + one, 0);
  const tokens = row.spentTokens + dead.reduce((sum, [, one]) => sum + one, 0);
  return (
    (budget.limitMicros !== null && micros >= budget.limitMicros) ||
    (budget.limitTokens !== null && tokens >= budget.limitTokens)
  );
}

function toSpend({ subject, period, spentMicros, spentTokens, reservations }: SpendRow): BudgetSpend {
  const held = Object.values(reservations);
  return {
    subject,
    period,
    spentMicros,
    spentTokens,
    reservedMicros: held.reduce((sum, [micros]) => sum + micros, 0),
    reservedTokens: held.reduce((sum, [, tokens]) => sum + tokens, 0),
  };
}

function exhausted(budget: Budget, subject: string, period: string, spend: SpendRow): OvenError {
  const { id, name, action, limitMicros, limitTokens } = budget;
  const { spentMicros, spentTokens } = spend;
  return new OvenError("BUDGET_EXHAUSTED", `The budget ${name} of ${subject} is spent (${period})`, {
    status: 402,
    fix: "Raise the budget, or wait for its next period",
    details: { budgetId: id, action, subject, period, limitMicros, limitTokens, spentMicros, spentTokens },
  });
}

function stillHeld({ id, name }: Budget, subject: string): OvenError {
  return new OvenError("BUDGET_HELD", `Calls that are not over yet hold the rest of the budget ${name} of ${subject}`, {
    status: 429,
    retryable: true,
    retryAfterMs: 5_000,
    fix: "Ask again when they are over",
    details: { budgetId: id },
  });
}

function priceUnknown({ name }: Budget, model: string): OvenError {
  return new OvenError("MODEL_PRICE_UNKNOWN", `${model} has no price, so the budget ${name} cannot be kept`, {
    status: 422,
    fix: "Say what it costs with POST /api/ai-prices: 0 for a model of your own",
  });
}

export function createBudgetRows(db: Database): TenantRows<typeof aiBudgets, ModelBudget> {
  const { id, name, scope, target, period, action, enabled, createdAt, updatedAt } = aiBudgets;
  return new TenantRows(db, {
    table: aiBudgets,
    noun: "budget",
    fields: { id, name, scope, target, period, action, enabled, createdAt, updatedAt },
    search: [name],
    toView: (row) => ({ ...row, ...toStamps(row) }),
    problem: budgetProblem,
  });
}
