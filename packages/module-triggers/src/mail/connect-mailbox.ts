import { connectImap, type FiringContext } from "@oven/module-registry";
import type { ImapFlow } from "imapflow";
import type { EmailConfig } from "./email-config.ts";

/**
 * A connection to the mailbox of a trigger. The password is used for the host that its secret is bound to.
 * @throws OvenError OUTBOUND_REFUSED, OUTBOUND_UNREACHABLE, SECRET_UNKNOWN, SECRET_HOST_REFUSED, SECRET_UNREADABLE
 */
export async function connectMailbox({
  config,
  tenantId,
  services,
}: Pick<FiringContext<EmailConfig>, "config" | "tenantId" | "services">): Promise<ImapFlow> {
  const { host, port, user, password } = config;
  return connectImap(services.outbound, config, async () => {
    const bound = new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`).host;
    return { user, pass: await services.secrets.use(tenantId, `secret:${password}`, bound) };
  });
}
