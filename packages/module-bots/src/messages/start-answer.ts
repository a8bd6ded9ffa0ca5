import { isOvenError, type JsonObject, type Principal } from "@oven/contract";
import type { ChatTarget, SpokenMessage } from "@oven/contract/agent";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import type { AskedRun } from "@oven/module-chat";
import type { ServiceMap } from "@oven/module-registry";
import type { BotRow } from "../bots/bot-row.ts";
import { botThreads } from "../schema.ts";
import type { MessageRow, MessageRows } from "./message-rows.ts";
import { toFilesField } from "./read-files.ts";

/** What starts runs here. */
export const FROM_BOT = "bot";

export interface StartDeps {
  db: Database;
  services: ServiceMap;
  rows: MessageRows;
}

/**
 * Starts the run of a message, once. In a thread the conversation with the agent goes on; when another person writes there, a conversation
 * of their own begins with what was said before, because each run has the rights of the one who asked.
 * @throws OvenError as asking does
 */
export async function startAnswer(
  { db, services, rows }: StartDeps,
  bot: BotRow,
  row: MessageRow,
  principal: Principal,
  identity: string,
): Promise<AskedRun> {
  const { kind, id } = bot.target;
  const { asks } = services;
  const target = withFiles(await asks.target(principal, kind, String(id), {}), row);
  const sessionId = await sessionOf(db, bot, row, target, identity);
  const start = async (conversation: number | undefined): Promise<AskedRun> => {
    const said: SpokenMessage[] = [
      ...(conversation === undefined ? await saidBefore(rows, row) : []),
      { role: "user", content: row.text },
    ];
    const key = `bot-message:${row.id}`;
    const question = { said, parameters: target.given, sessionId: conversation, key, from: FROM_BOT };
    return asks.start(principal, target, question);
  };
  const run = await start(sessionId).catch((error: unknown) => {
    // The person has deleted the conversation: another one begins, and not an error at each further message of the thread.
    if (sessionId !== undefined && isOvenError(error) && error.status === 404) return start(undefined);
    throw error;
  });
  if (kind !== "agent") return run;
  const found = await asks.find(principal, run.id);
  if (found.sessionId !== null && found.sessionId !== sessionId)
    await remember(db, bot, row, { agentId: id, sessionId: found.sessionId, identity });
  return run;
}

/** Targets that have a field `files` get those of the message: an agent as a parameter, a workflow in its input. */
function withFiles(target: ChatTarget, { given }: MessageRow): ChatTarget & { given: JsonObject } {
  const files = toFilesField(target.parameters, given);
  const { kind, mapping } = target;
  if (kind === "agent" || mapping === null) return { ...target, given: files };
  return { ...target, mapping: { ...mapping, input: { ...mapping.input, ...files } }, given: {} };
}

async function sessionOf(
  db: Database,
  { id: botId }: BotRow,
  { thread }: MessageRow,
  { kind, id }: ChatTarget,
  identity: string,
): Promise<number | undefined> {
  if (kind !== "agent") return undefined;
  const [row] = await db.orm
    .select()
    .from(botThreads)
    .where(and(eq(botThreads.botId, botId), eq(botThreads.thread, thread)));
  return row?.agentId === id && row.identity === identity ? row.sessionId : undefined;
}

async function remember(
  db: Database,
  { id: botId, tenantId }: BotRow,
  { thread }: MessageRow,
  conversation: { agentId: number; sessionId: number; identity: string },
): Promise<void> {
  await db.orm
    .insert(botThreads)
    .values({ tenantId, botId, thread, ...conversation })
    .onConflictDoUpdate({ target: [botThreads.botId, botThreads.thread], set: conversation });
}

async function saidBefore(rows: MessageRows, row: MessageRow): Promise<SpokenMessage[]> {
  const turns = await rows.before(row);
  return turns.flatMap(({ text, answer }): SpokenMessage[] => [
    { role: "user", content: text },
    ...(answer === null ? [] : [{ role: "assistant" as const, content: answer }]),
  ]);
}
