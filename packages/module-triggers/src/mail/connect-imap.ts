import { OvenError } from "@oven/contract";
import type { FiringContext } from "@oven/module-registry";
import type { ImapFlow } from "imapflow";
import type { EmailConfig } from "./email-config.ts";

const TIMEOUT_MS = 20_000;

/**
 * A connection to a mail server, signed in. The address is one that was checked: a name cannot mean another machine a moment
 * later. The password is used for the host that its secret is bound to.
 * @throws OvenError OUTBOUND_REFUSED, OUTBOUND_UNREACHABLE, SECRET_UNKNOWN, SECRET_HOST_REFUSED, SECRET_UNREADABLE
 */
export async function connectImap({
  config,
  tenantId,
  services,
}: Pick<FiringContext<EmailConfig>, "config" | "tenantId" | "services">): Promise<ImapFlow> {
  const { host, port, encryption, user, password } = config;
  const [address] = await services.outbound.addressesOf(host, port, encryption !== "none");
  if (address === undefined) throw new Error(`${host} has no address`);
  const bound = new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`).host;
  const pass = await services.secrets.use(tenantId, `secret:${password}`, bound);
  // Loaded when there is a mailbox to look into: no start waits for it.
  const imap = await import("imapflow");
  const client = new imap.ImapFlow({
    host: address.address,
    port,
    secure: encryption === "tls",
    // true: not without it, whatever the server offers.
    doSTARTTLS: encryption === "starttls",
    servername: host,
    auth: { user, pass },
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
