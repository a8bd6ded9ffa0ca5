import { SendError } from "@oven/module-notifications";
import type { BotRow } from "../bots/bot-row.ts";
import type { BotMessenger } from "../messengers/bot-messenger.ts";
import { splitText } from "../messengers/split-text.ts";
import type { MessageRow, MessageRows } from "./message-rows.ts";

/** The message that says that an answer is made, and becomes its first part. */
const SIGN = "sign";
/** What is said after the answer. */
const NOTE = "note";

/**
 * Posts what belongs to a message. Before a part goes out, the row says so; after a crash in between, the messenger is asked whether the
 * part is there. Where it cannot say (Microsoft Teams) the part is posted again.
 */
export class AnswerPoster {
  readonly #rows: MessageRows;

  constructor(rows: MessageRows) {
    this.#rows = rows;
  }

  /** Shows that an answer is made, or why it takes time. @throws SendError */
  async sign(messenger: BotMessenger, bot: BotRow, row: MessageRow, text: string): Promise<MessageRow> {
    if (messenger.typing !== undefined) {
      await messenger.typing(bot, row.place).catch((error: unknown) => {
        // The sign is a courtesy: where it is not taken, the answer still is.
        if (!(error instanceof SendError)) throw error;
      });
      return row;
    }
    if (row.posted[SIGN] === undefined) return this.#post(messenger, bot, row, SIGN, messenger.toText(text));
    // A sign that a person has deleted is not missed: the answer is a message of its own.
    await this.#update(messenger, bot, row, messenger.toText(text));
    return row;
  }

  /** Posts the answer in as many parts as it needs. @throws SendError */
  async answer(messenger: BotMessenger, bot: BotRow, row: MessageRow, text: string): Promise<MessageRow> {
    const parts = splitText(messenger.toText(text), messenger.longest);
    let current = row;
    for (const [index, part] of parts.entries()) {
      const name = `part-${index}`;
      if (current.posted[name] !== undefined) continue;
      const isUpdated = index === 0 && (await this.#update(messenger, bot, current, part));
      // Changing the same message to the same text again changes nothing.
      if (!isUpdated) current = await this.#post(messenger, bot, current, name, part);
    }
    return current;
  }

  /** Says something after the answer. @throws SendError */
  async note(messenger: BotMessenger, bot: BotRow, row: MessageRow, text: string): Promise<void> {
    if (row.posted[NOTE] === undefined) await this.#post(messenger, bot, row, NOTE, messenger.toText(text));
  }

  /** False: there is no message to be changed. */
  async #update(messenger: BotMessenger, bot: BotRow, { place, posted }: MessageRow, text: string): Promise<boolean> {
    const id = posted[SIGN];
    if (id === undefined) return false;
    try {
      await messenger.update(bot, place, id, text);
      return true;
    } catch (error) {
      // Such as that a person has deleted it.
      if (error instanceof SendError && error.final) return false;
      throw error;
    }
  }

  async #post(messenger: BotMessenger, bot: BotRow, row: MessageRow, part: string, text: string): Promise<MessageRow> {
    const { id: messageId, place } = row;
    const marker = `${row.marker}:${part}`;
    const isDoubtful = row.posting === part;
    if (!isDoubtful) await this.#rows.set(messageId, { posting: part });
    const found = isDoubtful ? await this.#find(messenger, bot, row, marker) : undefined;
    const id = found ?? (await messenger.post(bot, place, text, marker));
    const after = await this.#rows.set(messageId, { posting: null, posted: { ...row.posted, [part]: id } });
    if (after === undefined) throw new SendError("The bot was deleted", true);
    return after;
  }

  async #find(
    messenger: BotMessenger,
    bot: BotRow,
    { place }: MessageRow,
    marker: string,
  ): Promise<string | undefined> {
    try {
      return await messenger.find(bot, place, marker);
    } catch (error) {
      // An app without the scope to read: posting twice is better than not at all.
      if (error instanceof SendError && error.final) return undefined;
      throw error;
    }
  }
}
