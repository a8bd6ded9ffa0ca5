import { intersectPermissions, type Principal } from "@oven/contract";
import type { ServiceMap } from "@oven/module-registry";
import type { BotSentence } from "../bot-sentences.ts";
import type { BotRow } from "../bots/bot-row.ts";
import type { MessageRow } from "./message-rows.ts";

/** Whose rights a message is answered with; else the reason that the person gets. */
export type Identified =
  | { known: true; principal: Principal; identity: string; userId: number | null }
  | { known: false; why: BotSentence; link?: string };

const GUEST = "guest";

/**
 * The person who linked the account, with the rights they have now; else a guest, where the bot takes guests of its workspace.
 * What the message says about its sender decides nothing.
 */
export async function identify(
  services: ServiceMap,
  publicUrl: string,
  bot: BotRow,
  { workspace, account, proof, accountName }: MessageRow,
): Promise<Identified> {
  const { tenantId, guests, connection } = bot;
  const { access, messengers } = services;
  const provider = connection.type === "teams" ? "teams" : "slack";
  const outside = { provider, workspace, account, proof } as const;
  const userId = await messengers.links.userOf(tenantId, outside);
  if (userId !== undefined) {
    const principal = await access.findPrincipal(userId, tenantId);
    if (principal === undefined) return { known: false, why: "locked" };
    return { known: true, principal, identity: `user:${userId}`, userId };
  }
  const own = connection.type === "teams" ? connection.directory : bot.workspace;
  const isOwn = own !== null && workspace === own;
  if (guests === null || !isOwn) {
    // A person of another directory would link an id that means something else here.
    if (provider === "teams" && !isOwn) return { known: false, why: "foreign" };
    const token = await messengers.links.offer(tenantId, outside, accountName);
    return { known: false, why: "unlinked", link: `${publicUrl}/link-account/${token}` };
  }
  const saver = bot.savedBy === null ? undefined : await access.findPrincipal(bot.savedBy, tenantId);
  if (saver === undefined) return { known: false, why: "ownerless" };
  const permissions = intersectPermissions(guests.permissions, saver.permissions);
  return { known: true, principal: { ...saver, permissions }, identity: GUEST, userId: null };
}
