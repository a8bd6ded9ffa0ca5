import { createHash, randomUUID } from "node:crypto";
import {
  isOvenError,
  type Json,
  type LongNumberRules,
  OvenError,
  type Principal,
  refuseLongNumbers,
} from "@oven/contract";
import type { Clock } from "@oven/db";
import { addressOf, checkSignature, limitBody, ok, type Reply, type ServiceMap, styleOf } from "@oven/module-registry";
import { comeLater } from "../deliveries/come-later.ts";
import { storeFile } from "../deliveries/delivery-blobs.ts";
import type { Arrived, DeliveryIntake } from "../deliveries/delivery-intake.ts";
import { triggerDisabled } from "../deliveries/trigger-disabled.ts";
import type { TriggerStarter } from "../deliveries/trigger-starter.ts";
import type { TriggerRow } from "../triggers/trigger-row.ts";
import type { TriggerService } from "../triggers/trigger-service.ts";
import { answerWebhook } from "./answer-webhook.ts";
import { challengeOf, deliveryIdOf, readWebhook } from "./read-webhook.ts";
import { toRanges, type WebhookConfig, WebhookConfigSchema } from "./webhook-config.ts";

export interface WebhookIntakeDeps {
  services: ServiceMap;
  triggers: TriggerService;
  starter: TriggerStarter;
  intake: DeliveryIntake;
  clock: Clock;
}

/** Requests that are read and decided at once; their bodies are in memory. */
const MOST_AT_ONCE = 200;

/** Nothing to deliver: the sender only asks whether this is the right address. */
interface Asked {
  challenge: Json;
}

/** Takes what strangers post. What it answers 2xx to was written down first, and starts one run at most. */
export class WebhookIntake {
  readonly #deps: WebhookIntakeDeps;
  #atOnce = 0;

  constructor(deps: WebhookIntakeDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError whatever is wrong with the request; each but 404 and 429 leaves one row in the log */
  async take(token: string, request: Request): Promise<Reply> {
    const { triggers, services, clock, starter } = this.#deps;
    const trigger = await triggers.ofToken("webhook", token);
    if (trigger === undefined) {
      await services.requestLimits?.refused(addressOf(request));
      throw new OvenError("NOT_FOUND", "There is nothing at this address", { status: 404 });
    }
    const config = WebhookConfigSchema.parse(trigger.config);
    const outcome = await this.#withinLimit(async () => {
      const now = await clock();
      const taken = await this.#admit(trigger, config, request, now);
      return "challenge" in taken ? taken : this.#deps.intake.deliver(trigger, taken, now);
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

  async #admit(trigger: TriggerRow, config: WebhookConfig, request: Request, now: Date): Promise<Arrived | Asked> {
    try {
      return await this.#check(trigger, config, request, now);
    } catch (error) {
      if (!isOvenError(error)) throw error;
      if (error.status === 401) await this.#deps.services.requestLimits?.refused(addressOf(request));
      const cause = isOvenError(error.cause) ? error.cause : error;
      const decision = error.code === "TRIGGER_DISABLED" ? "skipped" : "refused";
      const reason = `${cause.code}: ${cause.message}`;
      await this.#deps.intake.refuse(trigger, { decision, reason, payload: { method: request.method } }, now);
      throw error;
    }
  }

  async #check(trigger: TriggerRow, config: WebhookConfig, request: Request, now: Date): Promise<Arrived | Asked> {
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
    const { charset, maxFiles } = config;
    const { payload: read, longNumbers, files } = readWebhook(request, body, { style, charset, maxFiles });
    const challenge = challengeOf(style, read);
    if (challenge !== undefined) return { challenge };
    if (config.longNumbers === "refuse" && longNumbers.length > 0)
      refuseLongNumbers(longNumbers, await this.#rules(trigger));
    const id = deliveryIdOf(config.deliveryId, style, request.headers, read);
    const key = id === undefined ? `request:${randomUUID()}` : `id:${id}`;
    const { tenantId, id: triggerId } = trigger;
    const { blobs, secrets } = this.#deps.services;
    for (const { place, file } of files)
      place.blob = { ...(await storeFile({ blobs, tenantId, triggerId, key }, file)) };
    const payload = secrets.redact(tenantId, read);
    return { payload, key, bodyHash: createHash("sha256").update(body).digest("hex") };
  }

  /** What arrives is the input of the workflow as it is, if the trigger computes none. */
  async #rules(trigger: TriggerRow): Promise<LongNumberRules> {
    const { starter, services } = this.#deps;
    const { targetKind, workflowId, input } = trigger;
    const by = await starter.principalOf(trigger);
    const rules = {
      what: "What was sent",
      fix: "Send it as text, in quotes. Or whoever made the trigger sets its `longNumbers` to `text`.",
    };
    if (input !== null || !isPrincipal(by)) return rules;
    const { workflows } = services.workflowPlatform.face(targetKind);
    const { definition } = await workflows.get(by, String(workflowId));
    return { ...rules, schema: definition.payloadSchema };
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
}

function isPrincipal(by: Principal | string): by is Principal {
  return typeof by !== "string";
}

function isAllowed(address: string | undefined, allowed: readonly string[]): boolean {
  return address !== undefined && toRanges(allowed).has(address);
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
