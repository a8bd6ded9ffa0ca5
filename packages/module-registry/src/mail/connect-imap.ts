import { OvenError } from "@oven/contract";
import type { ImapFlow } from "imapflow";
import type { OutboundService } from "../outbound/safe-fetch.ts";

/** A mailbox's server. */
export interface ImapServer {
  host: string;
  port: number;
  /** `starttls`: not without it, whatever the server offers. `none`: only where an operator allows it. */
  encryption: "tls" | "starttls" | "none";
}

const TIMEOUT_MS = 20_000;

/**
 * A connection to a mail server, signed in. The address is one that was checked: a name cannot mean another machine a moment later.
 * @param signIn asked for once the address is allowed
 * @throws OvenError OUTBOUND_REFUSED, OUTBOUND_UNREACHABLE, and what `signIn` throws
 */
export async function connectImap(
  outbound: Pick<OutboundService, "addressesOf">,
  { host, port, encryption }: ImapServer,
  signIn: () => Promise<{ user: string; pass: string }>,
): Promise<ImapFlow> {
  const [address] = await outbound.addressesOf(host, port, encryption !== "none");
  if (address === undefined) throw new Error(`${host} has no address`);
  const auth = await signIn();
  // Loaded when there is a mailbox to look into: no start waits for it.
  const imap = await import("imapflow");
  const client = new imap.ImapFlow({
    host: address.address,
    port,
    secure: encryption === "tls",
    doSTARTTLS: encryption === "starttls",
    servername: host,
    auth,
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  // Also after a call has failed already; without a listener it would end the process.
  client.on("error", () => client.close());
  try {
    await client.connect();
  } catch (cause) {
    client.close();
    throw toError(cause, host, port);
  }
  return client;
}

function toError(cause: unknown, host: string, port: number): OvenError {
  const isRefused = cause instanceof Error && "authenticationFailed" in cause && cause.authenticationFailed === true;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OvenError(
    "OUTBOUND_UNREACHABLE",
    isRefused ? `${host}:${port} refuses the user or the password` : `${host}:${port} cannot be read: ${reason}`,
    { status: 502, fix: "Check host, port, encryption, user and secret.", retryable: true, cause },
  );
}
