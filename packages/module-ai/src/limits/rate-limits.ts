import { OvenError } from "@oven/contract";
import type { ModelRateLimit } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { TenantRows, toStamps } from "../rows/tenant-rows.ts";
import { aiRateLimits } from "../tables/ai-rate-limits.table.ts";
import type { Timing } from "./timing.ts";

/** A call that was let through, to be told what it really used. */
export interface Admission {
  settle(tokens: number): Promise<void>;
}

export interface AdmissionRequest {
  tenantId: number;
  providerId: string;
  /** What it is expected to use. */
  tokens: number;
  /** How long to wait for room. */
  waitMs: number;
  signal: AbortSignal;
}

/*
 * A slot is a second. A call counts for the 60 seconds after its own, so that no 60 seconds of any clock have more than the
 * limit. Checked and counted in one statement on one row: whichever process comes second sees what the first has written.
 * A call larger than the limit goes alone.
 */
const ADMIT = `
with limits as (
  select id, requests_per_minute as requests, tokens_per_minute as tokens, slots from ai_rate_limits
  where tenant_id = $1 and provider_id = $2
), admitted as (
  update ai_rate_limits l set slots =
    coalesce((select jsonb_object_agg(s.key, s.value) from jsonb_each(l.slots) s where s.key::bigint > $4::bigint - 61), '{}'::jsonb)
    || jsonb_build_object($4::bigint::text, jsonb_build_array(
      coalesce((l.slots -> $4::bigint::text ->> 0)::bigint, 0) + 1,
      coalesce((l.slots -> $4::bigint::text ->> 1)::bigint, 0) + $3::bigint))
  where tenant_id = $1 and provider_id = $2
    and (requests_per_minute is null or requests_per_minute >
      (select coalesce(sum((s.value ->> 0)::bigint), 0) from jsonb_each(l.slots) s where s.key::bigint > $4::bigint - 61))
    and (tokens_per_minute is null
      or 0 = (select coalesce(sum((s.value ->> 1)::bigint), 0) from jsonb_each(l.slots) s where s.key::bigint > $4::bigint - 61)
      or tokens_per_minute >= $3::bigint +
        (select coalesce(sum((s.value ->> 1)::bigint), 0) from jsonb_each(l.slots) s where s.key::bigint > $4::bigint - 61))
  returning id
)
select limits.*, exists (select 1 from admitted) as admitted from limits`;

const SETTLE = `
update ai_rate_limits set slots = jsonb_set(slots, array[$3::bigint::text, '1'],
  to_jsonb(greatest(0, (slots -> $3::bigint::text ->> 1)::bigint + $4::bigint)))
where tenant_id = $1 and provider_id = $2 and slots ? $3::bigint::text`;

interface LimitRow extends Record<string, unknown> {
  requests: number | null;
  tokens: number | null;
  slots: Record<string, [number, number]>;
  admitted: boolean;
}

const NOTHING: Admission = { settle: async () => undefined };

/** Requests and tokens per minute, over all processes. */
export class RateLimits {
  readonly #db: Database;
  readonly #timing: Timing;

  constructor(db: Database, timing: Timing) {
    this.#db = db;
    this.#timing = timing;
  }

  /** @throws OvenError MODEL_RATE_LIMITED with `retryAfterMs` when there is no room within `waitMs` */
  async admit({ tenantId, providerId, tokens, waitMs, signal }: AdmissionRequest): Promise<Admission> {
    const until = this.#timing.now() + waitMs;
    for (;;) {
      const now = this.#timing.now();
      const second = Math.floor(now / 1_000);
      const [row] = await this.#db.query<LimitRow>(ADMIT, [tenantId, providerId, tokens, second]);
      if (row === undefined) return NOTHING;
      if (row.admitted) {
        return {
          settle: async (used) => {
            if (row.tokens === null || used === tokens) return;
            await this.#db.query(SETTLE, [tenantId, providerId, second, used - tokens]);
          },
        };
      }
      const wait = Math.max(1, roomAt(row, tokens, second) * 1_000 - now);
      if (now + wait > until) throw limited(providerId, row, wait);
      await this.#timing.pause(wait, signal);
    }
  }
}

/** The second from which the call has room, as far as is known now. */
function roomAt({ requests, tokens: most, slots }: LimitRow, wanted: number, now: number): number {
  const open = Object.entries(slots)
    .map(([key, [count, tokens]]) => ({ second: Number(key), count, tokens }))
    .filter(({ second }) => second > now - 61)
    .sort((one, other) => one.second - other.second);
  let count = open.reduce((sum, slot) => sum + slot.count, 0);
  let used = open.reduce((sum, slot) => sum + slot.tokens, 0);
  for (const slot of open) {
    count -= slot.count;
    used -= slot.tokens;
    if ((requests === null || count < requests) && (most === null || used === 0 || used + wanted <= most))
      return slot.second + 61;
  }
  return now + 1;
}

function limited(providerId: string, { requests, tokens }: LimitRow, waitMs: number): OvenError {
  const limits = [
    ...(requests === null ? [] : [`${requests} requests`]),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
  ];
  return new OvenError("MODEL_RATE_LIMITED", `${providerId} may get ${limits.join(" and ")} a minute, and has them`, {
    status: 429,
    retryable: true,
    retryAfterMs: Math.ceil(waitMs),
    fix: "Ask again later, or raise the limit at /api/ai-rate-limits",
  });
}

export function createRateLimitRows(db: Database): TenantRows<typeof aiRateLimits, ModelRateLimit> {
  const { id, providerId, createdAt, updatedAt } = aiRateLimits;
  return new TenantRows(db, {
    table: aiRateLimits,
    noun: "rate limit",
    fields: { id, providerId, createdAt, updatedAt },
    search: [providerId],
    toView: ({ slots: _slots, ...row }) => ({ ...row, ...toStamps(row) }),
  });
}
