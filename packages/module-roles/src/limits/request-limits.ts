import { OvenError } from "@oven/contract";
import type { ConfigKey, RequestLimits, ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import type { AttemptCounter } from "./attempts.ts";
import { placeOf } from "./caller-place.ts";

const MODULE = "module-roles";
const PER_CALLER = "CALLER_REQUESTS_PER_MINUTE";
const PER_TENANT = "TENANT_REQUESTS_PER_MINUTE";
const rate = z.int().min(1).max(100_000_000);

export const limitKeys: ConfigKey[] = [
  {
    key: PER_CALLER,
    type: "number",
    description: "Requests a minute of one API key or one signed-in user; more are answered 429.",
    defaultValue: 120_000,
    schema: rate,
  },
  {
    key: PER_TENANT,
    type: "number",
    description: "Requests a minute of all keys and users of a tenant together; more are answered 429.",
    defaultValue: 600_000,
    schema: rate,
  },
];

/** Wrong keys and cookies from one address within 15 minutes before it has to wait. */
const FREE_REFUSED = 300;

/** What one address posts at open doors. */
const STRANGERS_PER_MINUTE = 30;
/** What all of them together post at one. */
const DOOR_PER_MINUTE = 600;

export function createRequestLimits(
  { config, rates }: Pick<ServiceMap, "config" | "rates">,
  attempts: AttemptCounter,
): RequestLimits {
  const limitOf = async (key: string, tenantId: number) => {
    const { value } = await config.resolve({ module: MODULE, key, tenantId });
    return value as number; // cast: the key's schema
  };
  const take = async (bucket: string, perMinute: number) => {
    const waitMs = await rates.take(bucket, perMinute);
    if (waitMs === 0) return;
    throw new OvenError("TOO_MANY_REQUESTS", `This is more than ${perMinute} requests a minute`, {
      status: 429,
      retryAfterMs: waitMs,
      fix: `Send fewer, or raise ${bucket.startsWith("tenant") ? PER_TENANT : PER_CALLER} of ${MODULE}.`,
    });
  };
  const takeToken = async (bucket: string, perMinute: number) => {
    const waitMs = await rates.take(bucket, perMinute);
    if (waitMs === 0) return;
    throw new OvenError("TOO_MANY_REQUESTS", "Too much comes from there", {
      status: 429,
      retryAfterMs: waitMs,
      fix: "Wait a moment, then send it again.",
    });
  };
  return {
    async refused(address) {
      const place = placeOf(address);
      if (place !== undefined) await attempts.begin([{ key: `refused ${place}`, free: FREE_REFUSED }]);
    },
    async admitStranger(address, door) {
      const place = placeOf(address);
      if (place !== undefined) await takeToken(`stranger ${place}`, STRANGERS_PER_MINUTE);
      await takeToken(`door ${door}`, DOOR_PER_MINUTE);
    },
    async admit({ kind, userId, keyId, tenantId }) {
      await take(`${kind} ${keyId ?? userId}`, await limitOf(PER_CALLER, tenantId));
      await take(`tenant ${tenantId}`, await limitOf(PER_TENANT, tenantId));
    },
  };
}
