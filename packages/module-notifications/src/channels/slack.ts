import type { RuntimeEnvironment, ServiceMap } from "@oven/module-registry";
import { shorten } from "../messages/shorten.ts";
import { escapeSlack } from "./escape-slack.ts";
import { type Outgoing, SendError } from "./outgoing.ts";
import { postMessage, toSendError } from "./post-message.ts";

export interface SlackSettings {
  url: { $secret: string };
  host: string;
}

/** A section takes 3,000 characters, a header 150. */
const LONGEST_TEXT = 2_900;
const LONGEST_HEADER = 150;

/** Posts to an incoming webhook of Slack, or of what understands the same. @throws SendError */
export async function sendToSlack(
  { outbound, secrets }: Pick<ServiceMap, "outbound" | "secrets">,
  { url: reference, host }: SlackSettings,
  message: Outgoing,
  { outboundAllow }: Pick<RuntimeEnvironment, "outboundAllow">,
): Promise<void> {
  const address = await secrets.use(message.tenantId, `secret:${reference.$secret}`, host).catch((error: unknown) => {
    throw toSendError(error);
  });
  const url = URL.parse(address.trim());
  if (url === null || url.host !== host)
    throw new SendError(`The secret ${reference.$secret} is not an address of ${host}`, true);
  if (url.protocol !== "https:" && !outboundAllow.includes(url.origin))
    throw new SendError(`The secret ${reference.$secret} is not an https address`, true);
  await postMessage(outbound, url.href, JSON.stringify(toSlackMessage(message)));
}

function toSlackMessage({ subject, text, link }: Pick<Outgoing, "subject" | "text" | "link">): object {
  return {
    text: `${escapeSlack(subject)} ${link}`,
    blocks: [
      { type: "header", text: { type: "plain_text", text: shorten(subject, LONGEST_HEADER), emoji: false } },
      // Plain text: what came from a run mentions nobody and links nowhere.
      { type: "section", text: { type: "plain_text", text: shorten(text, LONGEST_TEXT), emoji: false } },
      { type: "section", text: { type: "mrkdwn", text: `<${link}|Open in OVEN>` } },
    ],
  };
}
