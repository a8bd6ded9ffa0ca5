import { type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { Execution } from "@oven/contract/run";
import type { TriggerDelivery } from "@oven/contract/trigger";
import { compileValue, initialContext } from "@oven/engine";
import type { Reply, ServiceMap } from "@oven/module-registry";
import { triggerDisabled } from "../deliveries/trigger-disabled.ts";
import type { ResponseConfig } from "./webhook-config.ts";

/** Whatever an author lets a run answer, it is not a page of this server. */
const HARMLESS = {
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};
/** Reasons that begin with an error's code. */
const BY_ERROR = /^[A-Z_]+: /;

export interface Answering {
  services: ServiceMap;
  /** In whose name its runs are; undefined: nobody's any more. */
  principal: Principal | undefined;
  response: ResponseConfig;
  /** The same thing came before: whoever asks again gets 200. */
  isReplay: boolean;
  signal: AbortSignal;
}

/**
 * What the sender is told: 202 with the ids, or what the run answered when the author says so.
 * @throws OvenError DELIVERY_REFUSED 422, TRIGGER_DISABLED 409
 */
export async function answerWebhook(delivery: TriggerDelivery, answering: Answering): Promise<Reply> {
  const { decision, executionId } = delivery;
  if (decision === "refused" || decision === "failed") throw refused(delivery);
  if (decision === "skipped" && BY_ERROR.test(delivery.reason ?? "")) throw triggerDisabled();
  const told = { deliveryId: delivery.id, decision, executionId };
  const soon: Reply = { status: answering.isReplay ? 200 : 202, body: told, headers: HARMLESS };
  const { response, principal } = answering;
  if (response.mode === "accepted" || executionId === null || principal === undefined) return soon;
  const run = await endOf(delivery, principal, response.seconds, answering);
  if (run === undefined) return soon;
  if (response.mode === "wait" || run.status !== "completed") {
    const status = response.mode === "wait" || run.status === "paused" ? 200 : 502;
    return { status, body: { ...told, status: run.status, output: run.output }, headers: HARMLESS };
  }
  return customAnswer(response, run);
}

/** The run once it is at rest; undefined when that takes too long. */
async function endOf(
  { executionKind, executionId }: TriggerDelivery,
  principal: Principal,
  seconds: number,
  { services, signal }: Answering,
): Promise<Execution | undefined> {
  if (executionKind === null || executionId === null) return undefined;
  const { runs } = services.workflowPlatform.face(executionKind);
  const isAtRest = await runs.settle(principal, executionId, seconds * 1_000, signal);
  return isAtRest ? runs.reader.get(principal, executionId) : undefined;
}

/** An answer that an author made from a run; never a page. */
export function customAnswer(
  response: Extract<ResponseConfig, { mode: "custom" }>,
  run: Pick<Execution, "id" | "input" | "output">,
): Response {
  const { status, headers, body } = response;
  const output = run.output ?? null;
  const computed = compileValue({ status, headers, body }).resolve({
    context: initialContext({}, output),
    trigger: run.input,
    execution: { id: run.id },
    overlay: new Map([["output", output]]),
  }) as JsonObject; // cast: an object of values computes to an object
  const code = Number(computed.status);
  const said = new Headers(toTexts(computed.headers as JsonObject)); // cast: as above
  const isText = typeof computed.body === "string";
  if (!said.has("content-type")) said.set("content-type", isText ? "text/plain; charset=utf-8" : "application/json");
  for (const [name, value] of Object.entries(HARMLESS)) said.set(name, value);
  const isEmpty = code === 204 || code === 304;
  return new Response(isEmpty ? null : isText ? String(computed.body) : JSON.stringify(computed.body), {
    status: Number.isInteger(code) && code >= 200 && code <= 599 ? code : 502,
    headers: said,
  });
}

function toTexts(headers: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      // A line break would begin another header.
      return [name, text.replace(/[^\x20-\x7e]/g, " ")];
    }),
  );
}

/** Why is for the log: the sender is a stranger. */
function refused({ id }: TriggerDelivery): OvenError {
  return new OvenError("DELIVERY_REFUSED", "The payload was rejected", {
    status: 422,
    fix: "Whoever made the trigger sees the reason in its log of deliveries.",
    details: { deliveryId: id },
  });
}
