import { isOvenError } from "@oven/contract";
import type { Clock } from "@oven/db";
import { addressOf, checkSignature, limitBody, type ServiceMap, styleOf } from "@oven/module-registry";
import type { DecisionSource } from "../decision-source.ts";
import { toProof } from "../links/account-links.ts";
import type { Presses } from "../presses.ts";

const MAX_BODY_BYTES = 262_144;
/** Slack's own recommendation. https://docs.slack.dev/authentication/verifying-requests-from-slack */
const WINDOW_SECONDS = 300;

const SLACK = styleOf({ style: "slack", secret: "signing" });

export interface SlackRequest {
  body: Uint8Array;
  /** Digest of the signing secret that the request was proved with. */
  proof: string;
}

/**
 * The body of a request that Slack has signed for this app within the last minutes.
 * @throws OvenError SIGNATURE_INVALID 401, TIMESTAMP_REFUSED 401, BODY_TOO_LARGE 413, DELIVERY_REFUSED 422
 */
export async function readSlackRequest(
  { services, clock, presses }: { services: ServiceMap; clock: Clock; presses: Pick<Presses, "signingKey"> },
  { tenantId, channel }: DecisionSource<"slack-app">,
  request: Request,
): Promise<SlackRequest> {
  const limited = await limitBody(request, MAX_BODY_BYTES);
  const body = new Uint8Array(await limited.arrayBuffer());
  const secret = await presses.signingKey(tenantId, channel.signingSecret);
  if (SLACK === undefined) throw new Error("there is no style of signature for Slack");
  try {
    const at = { now: await clock(), windowSeconds: WINDOW_SECONDS };
    checkSignature(SLACK, secret, { headers: request.headers, body }, at);
  } catch (error) {
    if (isOvenError(error) && error.status === 401) await services.requestLimits?.refused(addressOf(request));
    throw error;
  }
  return { body, proof: toProof("slack", channel.host, secret) };
}
