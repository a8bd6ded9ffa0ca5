import { createHash, randomUUID } from "node:crypto";
import { isIPv6 } from "node:net";
import {
  isOvenError,
  type Json,
  type JsonObject,
  OvenError,
  type Principal,
  type TriggerDelivery,
} from "@oven/contract";
import type { Database } from "@oven/db";
import { addressOf, limitBody, ok, type Reply, type ServiceMap } from "@oven/module-registry";
import { and, eq } from "drizzle-orm";
import type { Clock } from "../deliveries/clock.ts";
import { insertArrivals, toDelivery } from "../deliveries/delivery-rows.ts";
import type { TriggerHost } from "../deliveries/trigger-host.ts";
import type { TriggerStarter } from "../deliveries/trigger-starter.ts";
import { triggerDeliveries } from "../schema.ts";
import type { TriggerRow } from "../triggers/trigger-row.ts";
import type { TriggerService } from "../triggers/trigger-service.ts";
import { answerWebhook, triggerDisabled } from "./answer-webhook.ts";
import { checkSignature } from "./check-signature.ts";
import { challengeOf, deliveryIdOf, readWebhook } from "./read-webhook.ts";
import { RefusalLog } from "./refusal-log.ts";
import { styleOf } from "./signature-config.ts";
import { toBlockList, type WebhookConfig, WebhookConfigSchema } from "./webhook-config.ts";

export interface WebhookIntakeDeps {
  db: Database;
  services: ServiceMap;
  triggers: TriggerService;
  starter: TriggerStarter;
  host: TriggerHost;
  clock: Clock;
}

/** Requests that are read and decided at once; their bodies are in memory. */
const MOST_AT_ONCE = 200;
const RETRY_MS = 1_000;

interface Taken {
  payload: JsonObject;
  key: string;
  bodyHash: string;
}

/** Nothing to deliver: the sender only asks whether this is the right address. */
interface Asked {
  challenge: Json;
}

/** Takes what strangers post. What it answers 2xx to was written down first, and starts one run at most. */
export class WebhookIntake {
  readonly #deps: WebhookIntakeDeps;
  readonly #refusals: RefusalLog;
  /** By trigger and key: a second request with the same id waits for what becomes of the first one. */
  readonly #deciding = new Map<string, Promise<unknown>>();
  #atOnce = 0;

  constructor(deps: WebhookIntakeDeps) {
    this.#deps = deps;
    this.#refusals = new RefusalLog(deps.db);
  }

  /** @throws OvenError whatever is wrong with the request; each but 404 and 429 leaves one row in the log */
  async take(token: string, request: Request): Promise<Reply> {
    const { triggers, services, clock, starter } = this.#deps;
    const trigger = await triggers.ofToken("webhook", token);
    if (trigger === undefined) {
      services.requestLimits?.refused(addressOf(request));
      throw new OvenError("NOT_FOUND", "There is nothing at this address", { status: 404 });
    }
    const config = WebhookConfigSchema.parse(trigger.config);
    const outcome = await this.#withinLimit(async () => {
      const now = await clock();
      const taken = await this.#admit(trigger, config, request, now);
      return "challenge" in taken ? taken : this.#deliver(trigger, taken, now);
    });
    if ("challenge" in outcome) return ok(outcome);
    const by = await starter.principalOf(trigger);
    return answerWebhook(outcome.delivery, {
      services,
      principal: isPrincipal(by) ? by : undefined,
      response: config.response,
      isReplay: outcome.isReplay,
      signal: request.signal,
    });
  }

  async #withinLimit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#atOnce >= MOST_AT_ONCE) throw comeLater();
    this.#atOnce++;
    try {
      return await work();
    } finally {
      this.#atOnce--;
    }
  }

  async #admit(trigger: TriggerRow, config: WebhookConfig, request: Request, now: Date): Promise<Taken | Asked> {
    try {
      return await this.#check(trigger, config, request, now);
    } catch (error) {
      if (!isOvenError(error)) throw error;
      if (error.status === 401) this.#deps.services.requestLimits?.refused(addressOf(request));
      const cause = isOvenError(error.cause) ? error.cause : error;
      const decision = error.code === "TRIGGER_DISABLED" ? "skipped" : "refused";
      const reason = `${cause.code}: ${cause.message}`;
      await this.#refusals.write(trigger, { decision, reason, payload: { method: request.method } }, now);
      throw error;
    }
  }

  async #check(trigger: TriggerRow, config: WebhookConfig, request: Request, now: Date): Promise<Taken | Asked> {
    const { methods, allowedAddresses, maxBytes, signature, windowSeconds } = config;
    if (!trigger.enabled) throw triggerDisabled();
    if (!methods.some((method) => method === request.method)) throw wrongMethod(request.method, methods);
    if (allowedAddresses !== undefined && !isAllowed(addressOf(request), allowedAddresses)) throw wrongAddress();
    const limited = await limitBody(request, maxBytes);
    const body = new Uint8Array(await limited.arrayBuffer());
    const style = styleOf(signature);
    if (style !== undefined && signature.style !== "none") {
      const secret = await this.#secret(trigger.tenantId, signature.secret);
      checkSignature(style, secret, { headers: request.headers, body }, { now, windowSeconds });
    }
    const read = readWebhook(request, body, style);
    const challenge = challengeOf(style, read);
    if (challenge !== undefined) return { challenge };
    const payload = this.#deps.services.secrets.redact(trigger.tenantId, read);
    const id = deliveryIdOf(config.deliveryId, style, request.headers, read);
    const key = id === undefined ? `request:${randomUUID()}` : `id:${id}`;
    return { payload, key, bodyHash: createHash("sha256").update(body).digest("hex") };
  }

  async #secret(tenantId: number, name: string): Promise<string> {
    try {
      return await this.#deps.services.secrets.signingKey(tenantId, `secret:${name}`);
    } catch (cause) {
      if (!isOvenError(cause)) throw cause;
      // Which secrets there are is nothing for strangers.
      throw new OvenError("DELIVERY_REFUSED", "This cannot be checked at present", { status: 422, cause });
    }
  }

  async #deliver(
    trigger: TriggerRow,
    taken: Taken,
    now: Date,
  ): Promise<{ delivery: TriggerDelivery; isReplay: boolean }> {
    const { db, starter, host } = this.#deps;
    const place = `${trigger.id}:${taken.key}`;
    // Runs that must not overlap start one after the other: whoever is next in line is decided, which may be another one.
    const isOrdered = trigger.overlap !== "allow";
    const [id] = await insertArrivals(db, trigger, [taken], now, !isOrdered);
    if (id === undefined) return { delivery: await this.#earlier(trigger, taken, place, now), isReplay: true };
    const deciding = isOrdered ? host.work(id) : starter.work(id, now, "release");
    this.#deciding.set(place, deciding);
    try {
      const busy = await deciding;
      if (busy !== undefined) throw busy;
    } finally {
      this.#deciding.delete(place);
    }
    return { delivery: await this.#delivery(id), isReplay: false };
  }

  /** What became of the same thing before. @throws OvenError DELIVERY_ID_REUSED 409, TOO_MANY_REQUESTS 429 */
  async #earlier(trigger: TriggerRow, { key, bodyHash }: Taken, place: string, now: Date): Promise<TriggerDelivery> {
    // Whether it went wrong is the first one's to say.
    await this.#deciding.get(place)?.catch(() => undefined);
    const [row] = await this.#deps.db.orm
      .select()
      .from(triggerDeliveries)
      .where(and(eq(triggerDeliveries.triggerId, trigger.id), eq(triggerDeliveries.key, key)));
    // Given back meanwhile.
    if (row === undefined) throw comeLater();
    if (row.bodyHash !== bodyHash) {
      const reason = `DELIVERY_ID_REUSED: The id came with another body as delivery ${row.id} already`;
      await this.#refusals.write(trigger, { decision: "refused", reason, payload: {} }, now);
      throw reused(row.id);
    }
    // Another process is at it, and may still give it back: only what is certain is said to be accepted.
    if (row.decision === "received" && row.reason === null && trigger.overlap === "allow") throw comeLater();
    return toDelivery(row);
  }

  async #delivery(id: number): Promise<TriggerDelivery> {
    const [row] = await this.#deps.db.orm.select().from(triggerDeliveries).where(eq(triggerDeliveries.id, id));
    if (row === undefined) throw new OvenError("NOT_FOUND", "There is nothing at this address", { status: 404 });
    return toDelivery(row);
  }
}

function isPrincipal(by: Principal | string): by is Principal {
  return typeof by !== "string";
}

function isAllowed(address: string | undefined, allowed: readonly string[]): boolean {
  if (address === undefined) return false;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return toBlockList(allowed).check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}

function comeLater(): OvenError {
  return new OvenError("TOO_MANY_REQUESTS", "Too much arrives at once", {
    status: 429,
    fix: "Send it again after the time in Retry-After.",
    retryable: true,
    retryAfterMs: RETRY_MS,
  });
}

function wrongMethod(method: string, methods: readonly string[]): OvenError {
  return new OvenError("METHOD_NOT_ALLOWED", `${method} is not taken here`, {
    status: 405,
    fix: `Use ${methods.join(" or ")}.`,
  });
}

function wrongAddress(): OvenError {
  return new OvenError("ADDRESS_REFUSED", "Nothing is taken from your address here", {
    status: 403,
    fix: "Ask whoever made the trigger to allow it.",
  });
}

function reused(deliveryId: number): OvenError {
  return new OvenError("DELIVERY_ID_REUSED", "This id came with another body before; nothing was started", {
    status: 409,
    fix: "Give each delivery an id of its own.",
    details: { deliveryId },
  });
}
