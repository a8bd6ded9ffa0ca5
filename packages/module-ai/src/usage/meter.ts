import { isOvenError, OvenError } from "@oven/contract";
import type { ResolvedModel, UsageRow } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import type { Database } from "@oven/db";
import type { Budgets, Reservation } from "../budgets/budgets.ts";
import type { Admission, RateLimits } from "../limits/rate-limits.ts";
import type { CallProgress } from "../model/call-model.ts";
import type { Bound, Estimate } from "../model/estimate.ts";
import { findPrice, type Made, type Price, toCostMicros } from "../prices/prices.ts";
import type { Provider } from "../providers/model-provider.ts";
import { type ModelCaller, recordUsage } from "./record-usage.ts";

/** Of simulated and local models. */
export const FREE: Price = {
  inputMicros: 0,
  cachedInputMicros: 0,
  outputMicros: 0,
  imageMicros: 0,
  videoSecondMicros: 0,
  maxOutputTokens: null,
  contextTokens: null,
};
const RATE_WAIT_MS = 30_000;
const BUDGET_WAIT_MS = 60_000;
/** Beyond a call's time-out: for what is done before and after it. */
const GRACE_MS = 60_000;
/** Failures of calls that a provider may charge for all the same. */
const CHARGED: ReadonlySet<string> = new Set([
  "MODEL_ABORTED",
  "MODEL_BAD_RESPONSE",
  "MODEL_STALLED",
  "MODEL_STREAM_BROKEN",
  "MODEL_TIMEOUT",
]);

export interface MeteredCall {
  model: ResolvedModel;
  provider: Provider;
  caller: ModelCaller;
  operation: UsageRow["operation"];
  /** What it will probably use: counted by rate limits until it is known. */
  expected: Estimate;
  /** What it uses at most: held back by budgets until it is known. `longest`: tokens of the model's longest answer, if known. */
  most(longest: number | null): Bound;
  made?: Made;
  timeoutMs: number;
  /** False: when there is no room now, somebody else is asked instead. */
  mayWait: boolean;
  releasedBudgets: readonly number[];
  signal: AbortSignal | undefined;
  fallbackFrom: string | null;
}

interface Metered<T> {
  value: T;
  usage: TokenUsage;
  made?: Made;
}

/** The gate before every call that costs something: rate limits, budgets, and the usage row that each call leaves. */
export class Meter {
  readonly #db: Database;
  readonly #limits: RateLimits;
  readonly #budgets: Budgets;

  constructor(db: Database, limits: RateLimits, budgets: Budgets) {
    this.#db = db;
    this.#limits = limits;
    this.#budgets = budgets;
  }

  /** @throws OvenError MODEL_RATE_LIMITED, BUDGET_EXHAUSTED, BUDGET_HELD, MODEL_PRICE_UNKNOWN, MODEL_ABORTED; what `work` throws */
  async run<T>(
    call: MeteredCall,
    work: (progress: CallProgress) => Promise<Metered<T>>,
  ): Promise<{ value: T; costMicros: number }> {
    const { model, caller, operation, fallbackFrom } = call;
    const started = performance.now();
    const progress: CallProgress = { sent: false, streaming: false, characters: 0 };
    const price = (await this.#price(call)) ?? (model.simulated || call.provider.kind === "local" ? FREE : undefined);
    const held: { admission?: Admission; reservation?: Reservation } = {};
    const settle = async (tokenUsage: TokenUsage, costMicros: number, outcome: Outcome) => {
      const tokens = tokenUsage.total;
      await held.reservation?.settle({ micros: costMicros, tokens });
      await held.admission?.settle(tokens);
      const latencyMs = Math.round(performance.now() - started);
      const source = "provider" as const;
      await recordUsage(this.#db, {
        ...{ model, caller, operation, fallbackFrom, source, tokenUsage, costMicros, latencyMs },
        ...outcome,
      });
    };
    let done: Metered<T>;
    try {
      await this.#enter(call, price, held);
      done = await work(progress);
    } catch (cause) {
      const aborted = call.signal?.aborted === true;
      const error = aborted ? toAborted(cause) : cause;
      const estimated = progress.sent && isOvenError(error) && (aborted || CHARGED.has(error.code));
      const spent = estimated ? estimateSpent(call, progress) : { input: 0, output: 0, total: 0 };
      await settle(spent, toCostMicros(spent, price), {
        status: aborted ? "aborted" : "error",
        error: isOvenError(error) ? `${error.code}: ${error.message}` : String(error),
        estimated,
      });
      throw error;
    }
    const costMicros = toCostMicros(done.usage, price, done.made);
    await settle(done.usage, costMicros, { status: "ok", error: null, estimated: false });
    return { value: done.value, costMicros };
  }

  #price({ provider, model, caller }: MeteredCall): Promise<Price | undefined> {
    const { vendor } = provider;
    return findPrice(this.#db, caller.tenantId, { providerId: provider.id, modelId: model.modelId, vendor });
  }

  async #enter(
    call: MeteredCall,
    price: Price | undefined,
    held: { admission?: Admission; reservation?: Reservation },
  ): Promise<void> {
    const { caller, provider, model, expected, made, mayWait, timeoutMs, releasedBudgets } = call;
    const signal = call.signal ?? new AbortController().signal;
    held.admission = await this.#limits.admit({
      tenantId: caller.tenantId,
      providerId: provider.id,
      tokens: expected.input + expected.output,
      waitMs: mayWait ? RATE_WAIT_MS : 0,
      signal,
    });
    const most = call.most(price?.maxOutputTokens ?? null);
    const tokens = most.input + most.output;
    const micros = price === undefined ? null : toCostMicros({ ...most, total: tokens }, price, made);
    held.reservation = await this.#budgets.reserve({
      caller,
      most: { micros, tokens, guessed: most.guessed },
      model: `${model.providerId}:${model.modelId}`,
      givenUpAfterMs: timeoutMs + GRACE_MS,
      waitMs: BUDGET_WAIT_MS,
      released: releasedBudgets,
      signal,
    });
  }
}

interface Outcome {
  status: UsageRow["status"];
  error: string | null;
  estimated: boolean;
}

function toAborted(cause: unknown): OvenError {
  return isOvenError(cause) ? cause : new OvenError("MODEL_ABORTED", "The call was stopped", { status: 499, cause });
}

/** All of the request, and as much of the answer as was seen. */
function estimateSpent({ expected }: MeteredCall, { characters }: CallProgress): TokenUsage {
  const output = Math.ceil(characters / 4);
  return { input: expected.input, output, total: expected.input + output };
}
