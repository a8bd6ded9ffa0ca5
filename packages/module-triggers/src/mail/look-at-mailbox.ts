import type { JsonObject } from "@oven/contract";
import type { Arrival, Firing, FiringContext } from "@oven/module-registry";
import type { ImapFlow } from "imapflow";
import { connectMailbox } from "./connect-mailbox.ts";
import { type EmailConfig, MAX_MAIL_BYTES } from "./email-config.ts";
import { readMail } from "./read-mail.ts";

/** Mails of one look; the others come at the next one, a second later. */
const MOST_AT_ONCE = 25;

/** Up to where a mailbox was read. UIDs mean something together with UIDVALIDITY only (RFC 9051 §2.3.1.1). */
interface Position {
  uidValidity: string;
  lastUid: number;
}

/**
 * Fetches what is new. Mails are marked once they are written down as deliveries: a crash between leaves them as they were, and
 * their keys are known.
 * @throws OvenError and whatever the server says
 */
export async function lookAtMailbox(context: FiringContext<EmailConfig>): Promise<Firing> {
  const { config, state, now, signal } = context;
  const client = await connectMailbox(context);
  const close = () => client.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    const mailbox = await client.mailboxOpen(config.mailbox, { readOnly: config.after === "leave" });
    const position = positionOf(state, config, { uidValidity: String(mailbox.uidValidity), uidNext: mailbox.uidNext });
    const uids = await newUids(client, config, position.lastUid);
    const taken = uids.slice(0, MOST_AT_ONCE);
    const arrivals: Arrival[] = [];
    for (const uid of taken) {
      const arrival = await fetchMail(client, context, position.uidValidity, uid);
      if (arrival !== undefined) arrivals.push(arrival);
    }
    const waitMs = uids.length > taken.length ? 1_000 : config.everySeconds * 1_000;
    return {
      arrivals,
      next: new Date(now.getTime() + waitMs),
      state: { uidValidity: position.uidValidity, lastUid: taken.at(-1) ?? position.lastUid },
      settle: async () => {
        await mark(client, config, taken);
        await client.logout();
      },
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * Where to go on. At the first look, and when the server gave all mails new numbers: at the end, unless what was taken can be
 * told from the rest because it is marked or moved.
 */
function positionOf(
  state: JsonObject,
  { existing, onlyUnseen, after }: EmailConfig,
  { uidValidity, uidNext }: { uidValidity: string; uidNext: number },
): Position {
  const { uidValidity: known, lastUid } = state;
  if (known === uidValidity && typeof lastUid === "number") return { uidValidity, lastUid };
  const isFirst = known === undefined;
  const isLabelled = after === "move" || (after === "seen" && onlyUnseen);
  const fromStart = isFirst ? existing === "take" : isLabelled;
  return { uidValidity, lastUid: fromStart ? 0 : uidNext - 1 };
}

async function newUids(client: ImapFlow, { onlyUnseen }: EmailConfig, lastUid: number): Promise<number[]> {
  const found = await client.search({ uid: `${lastUid + 1}:*`, ...(onlyUnseen ? { seen: false } : {}) }, { uid: true });
  // `n:*` always has the last mail, also when its number is lower.
  return (found || []).filter((uid) => uid > lastUid).sort((one, other) => one - other);
}

async function fetchMail(
  client: ImapFlow,
  { config, tenantId, triggerId, services: { blobs } }: FiringContext<EmailConfig>,
  uidValidity: string,
  uid: number,
): Promise<Arrival | undefined> {
  const found = await client.fetchOne(
    String(uid),
    { uid: true, size: true, source: { maxLength: MAX_MAIL_BYTES } },
    { uid: true },
  );
  // Deleted meanwhile.
  if (!found || found.source === undefined) return undefined;
  const key = `imap:${uidValidity}:${uid}`;
  const where = { mailbox: config.mailbox, uid, size: found.size ?? 0 };
  const payload = await readMail(found.source, where, { blobs, tenantId, triggerId, key, limits: config });
  return { key, payload };
}

async function mark(client: ImapFlow, { after, moveTo }: EmailConfig, uids: readonly number[]): Promise<void> {
  if (uids.length === 0 || after === "leave") return;
  const range = uids.join(",");
  if (after === "seen") await client.messageFlagsAdd(range, ["\\Seen"], { uid: true });
  else if (moveTo !== undefined) await client.messageMove(range, moveTo, { uid: true });
}
