import { randomUUID } from "node:crypto";
import type { Clock, Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import type { BotRow } from "../bots/bot-row.ts";
import { MOST_FILES, type NamedFile } from "../messages/read-files.ts";
import type { Place } from "../messengers/bot-messenger.ts";
import { botMessages, bots } from "../schema.ts";

/** What a person said to a bot, once the messenger that sent it was proved. */
export interface Incoming {
  /** The same for the same message, however often it is sent. */
  key: string;
  thread: string;
  place: Place;
  workspace: string;
  account: string;
  proof: string;
  name: string;
  text: string;
  files: NamedFile[];
}

const LONGEST_TEXT = 40_000;

/** Writes messages down. All that follows is done from the rows, so that nothing is lost that was acknowledged. */
export class Inbox {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #onArrival: () => void;

  constructor({ db, clock, onArrival }: { db: Database; clock: Clock; onArrival: () => void }) {
    this.#db = db;
    this.#clock = clock;
    this.#onArrival = onArrival;
  }

  /** Once per message: what is sent again changes nothing. */
  async take({ id: botId, tenantId }: BotRow, { key, name, text, files, ...incoming }: Incoming): Promise<void> {
    const now = await this.#clock();
    const { orm } = this.#db.system;
    const written = await orm
      .insert(botMessages)
      .values({
        ...{ ...incoming, tenantId, botId, messageKey: key, marker: randomUUID() },
        accountName: clean(name),
        text: clean(text).slice(0, LONGEST_TEXT),
        // One more than are read, so that the message says that there were more.
        files: files
          .slice(0, MOST_FILES + 1)
          .map((file) => ({ ...file, name: clean(file.name), type: clean(file.type) })),
        nextAttemptAt: now,
        createdAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: botMessages.id });
    if (written.length === 0) return;
    await orm.update(bots).set({ lastMessageAt: now }).where(eq(bots.id, botId));
    this.#onArrival();
  }
}

/** As the database takes it. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}
