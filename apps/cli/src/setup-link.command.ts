import { parseArgs } from "node:util";
import { dropEmptyVariables, readInstallationSecret } from "@oven/installation/environment";
import { signSetupToken } from "@oven/module-roles";
import type { OvenCommand } from "./oven-command.ts";
import { serverAddress } from "./server-address.ts";

const ANSWER_MS = 5_000;

/** A link that makes the first owner, for the machine's operator: it takes the installation's secret. Ends with 1 when set-up is done. */
export const setupLinkCommand: OvenCommand = {
  name: "setup-link",
  usage: "setup-link   (on the server's machine, with the server's environment)",
  async run(args, write) {
    parseArgs({ args, options: {} });
    return makeSetupLink({ ...process.env }, write);
  },
};

export async function makeSetupLink(
  variables: Record<string, string | undefined>,
  write: (text: string) => void,
): Promise<number> {
  dropEmptyVariables(variables);
  const { publicUrl, secret, host, port } = readInstallationSecret(variables);
  const server = serverAddress({ host, port });
  const isOpen = await isSetupOpen(server);
  if (isOpen === false) {
    write(`Set-up is done: a person with the owner role can sign in. Sign in at ${publicUrl}/login\n`);
    return 1;
  }
  write(`Create the first admin: ${publicUrl}/setup?token=${signSetupToken(secret, Date.now())}\n`);
  write("The link is good for 24 hours and for one person.\n");
  if (isOpen === undefined) write(`No server answers at ${server}: start it before you open the link.\n`);
  return 0;
}

/** Undefined when no server answers. */
async function isSetupOpen(server: string): Promise<boolean | undefined> {
  try {
    const { status } = await fetch(`${server}/api/setup`, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (status === 200) return true;
    return status === 404 ? false : undefined;
  } catch (error) {
    // Refused, unreachable or too slow: fetch and its timeout throw these two.
    if (error instanceof TypeError || error instanceof DOMException) return undefined;
    throw error;
  }
}
