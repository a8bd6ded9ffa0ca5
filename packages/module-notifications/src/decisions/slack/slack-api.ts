import { isObject, type JsonObject, JsonSchema } from "@oven/contract";
import type { NotificationChannel } from "@oven/contract/system";
import type { OutboundService, RuntimeEnvironment } from "@oven/module-registry";
import { readRetryAfter, SendError } from "../../channels/outgoing.ts";
import { postMessage, toSendError } from "../../channels/post-message.ts";
import { toOrigin } from "../../channels/to-origin.ts";

export type SlackApp = Extract<NotificationChannel, { type: "slack-app" }>;

export interface SlackDeps {
  services: { outbound: OutboundService };
  environment: Pick<RuntimeEnvironment, "outboundAllow">;
}

/** Slack waits three seconds for us; we wait longer for Slack. */
const TIMEOUT_MS = 10_000;
const LONGEST_ANSWER = 1_048_576;
/** Of content on its way to Slack. */
const UPLOAD_TIMEOUT_MS = 20_000;

/** Errors that are the same at the next attempt. https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const FINAL = new Set(
  `account_inactive as_user_not_supported cant_update_message channel_not_found edit_window_closed expired_trigger_id file_not_found file_uploads_disabled invalid_arguments invalid_auth
  invalid_blocks invalid_blocks_format is_archived message_not_found missing_scope msg_too_long no_permission not_allowed_token_type not_authed
  not_in_channel restricted_action token_expired token_revoked user_not_found`.split(/\s+/),
);

/**
 * Calls a method of Slack's Web API with the bot's token.
 * @param method such as `chat.postMessage`
 * @param encoding `form`: of methods that read, which take no JSON
 * @throws OvenError of the outbound call, SendError with Slack's own word for what is wrong
 */
export async function callSlack(
  { services, environment }: SlackDeps,
  tenantId: number,
  { token, host }: Pick<SlackApp, "token" | "host">,
  method: string,
  body: object,
  encoding: "json" | "form" = "json",
): Promise<JsonObject> {
  let answer: unknown;
  let status: number;
  let retryAfterMs: number | undefined;
  try {
    const response = await services.outbound.fetch(`${toOrigin(host, environment)}/api/${method}`, {
      method: "POST",
      headers: {
        "content-type": encoding === "json" ? "application/json; charset=utf-8" : "application/x-www-form-urlencoded",
        authorization: { $secret: token.$secret, prefix: "Bearer " },
      },
      tenantId,
      body: encoding === "json" ? JSON.stringify(body) : new URLSearchParams(body as Record<string, string>).toString(), // cast: the fields of a form are texts
      timeoutMs: TIMEOUT_MS,
      maxBytes: LONGEST_ANSWER,
      maxRedirects: 0,
    });
    status = response.status;
    retryAfterMs = readRetryAfter(response.headers);
    answer = status === 200 ? await response.json() : undefined;
    if (status !== 200) await response.body?.cancel();
  } catch (error) {
    throw toSendError(error);
  }
  if (status !== 200) throw new SendError(`Slack answered ${status}`, status === 404, { retryAfterMs });
  const read = JsonSchema.safeParse(answer).data;
  if (isObject(read) && read.ok === true) return read;
  const reason = isObject(read) && typeof read.error === "string" ? read.error.slice(0, 100) : "what is not an answer";
  throw new SendError(`Slack answered ${reason}`, FINAL.has(reason));
}

/**
 * Answers a press on a button at the address that came with it. The address is of Slack only.
 * @throws SendError
 */
export async function respondToSlack(
  { services, environment }: SlackDeps,
  { host }: Pick<SlackApp, "host">,
  responseUrl: string,
  body: object,
): Promise<void> {
  const url = URL.parse(responseUrl);
  const isOfSlack = url !== null && (url.host === host || url.host === `hooks.${host}`);
  if (!isOfSlack || url.origin !== toOrigin(url.host, environment))
    throw new SendError(`The address to answer at is not of ${host}`, true);
  await postMessage(services.outbound, url.href, JSON.stringify(body));
}

/**
 * Hands the content of a file over at the address that `files.getUploadURLExternal` has answered. The address is of Slack only, and stands
 * for the permission to write there: the bot's token does not go with it.
 * @throws SendError, without the address
 */
export async function uploadToSlack(
  { services, environment }: SlackDeps,
  { host }: Pick<SlackApp, "host">,
  uploadUrl: string,
  data: Uint8Array,
): Promise<void> {
  const url = URL.parse(uploadUrl);
  const isOfSlack = url !== null && (url.host === host || url.host === `files.${host}`);
  if (!isOfSlack || url.origin !== toOrigin(url.host, environment))
    throw new SendError(`The address for the file is not of ${host}`, true);
  let status: number;
  try {
    const response = await services.outbound.fetch(url.href, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: data,
      timeoutMs: UPLOAD_TIMEOUT_MS,
      maxRedirects: 0,
    });
    await response.body?.cancel();
    status = response.status;
  } catch (error) {
    throw toSendError(error);
  }
  if (status !== 200) throw new SendError(`Slack answered ${status} to a file`, status === 413);
}
