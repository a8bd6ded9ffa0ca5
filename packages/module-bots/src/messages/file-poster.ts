import { isOvenError, notFound } from "@oven/contract";
import type { Clock } from "@oven/db";
import { SendError } from "@oven/module-notifications";
import type { ServiceMap } from "@oven/module-registry";
import type { BotRow } from "../bots/bot-row.ts";
import type { BotMessenger, FileTaker } from "../messengers/bot-messenger.ts";
import type { AnswerFile } from "./answer-files.ts";
import { CLAIM_SECONDS, type MessageRow, type MessageRows } from "./message-rows.ts";

export interface FilePosterDeps {
  services: Pick<ServiceMap, "blobs" | "secrets">;
  rows: MessageRows;
  clock: Clock;
}

/**
 * Posts the files of an answer. An upload that was begun twice is seen by no one; before a file is shown its row says so, and after a crash in
 * between the messenger is asked whether it is there.
 */
export class FilePoster {
  readonly #deps: FilePosterDeps;

  constructor(deps: FilePosterDeps) {
    this.#deps = deps;
  }

  /**
   * @param isLast whether there is no other attempt: what is not taken then stays on the page of the run
   * @throws SendError for what may work later
   */
  async post({ files }: BotMessenger, bot: BotRow, row: MessageRow, isLast: boolean): Promise<MessageRow> {
    let current = row;
    if (files === undefined) return current;
    for (const index of row.answerFiles.keys()) {
      try {
        current = await this.#one(files, bot, current, index);
      } catch (error) {
        if (!isOver(error, isLast)) throw error;
        const reason = this.#deps.services.secrets.redact(bot.tenantId, error.message);
        current = await this.#set((await this.#deps.rows.get(row.id)) ?? row, index, { state: "left", reason });
      }
    }
    return current;
  }

  async #one(files: FileTaker, bot: BotRow, row: MessageRow, index: number): Promise<MessageRow> {
    let current = row;
    let file = fileAt(current, index);
    if (file.state === "waiting") {
      const fileId = await files.upload(bot, file.name, await this.#read(bot, file));
      current = await this.#set(current, index, { state: "uploaded", fileId });
      file = fileAt(current, index);
    }
    const { fileId, name, state } = file;
    if (fileId === null || (state !== "uploaded" && state !== "sharing")) return current;
    const isDoubtful = state === "sharing";
    if (!isDoubtful) current = await this.#set(current, index, { state: "sharing" });
    const isThere = isDoubtful && (await this.#isShared(files, bot, row, fileId));
    if (!isThere) await files.share(bot, row.place, fileId, name);
    return this.#set(current, index, { state: "posted" });
  }

  /** The content, if it is what the reference says: a run cannot make one up. */
  async #read({ tenantId }: BotRow, { blob: { $blob, sha256 } }: AnswerFile): Promise<Uint8Array> {
    const found = await this.#deps.services.blobs.read($blob, { tenantId });
    if (found.sha256 !== sha256) throw notFound("blob", $blob);
    return found.data;
  }

  async #isShared(files: FileTaker, bot: BotRow, { place }: MessageRow, fileId: string): Promise<boolean> {
    try {
      return await files.isShared(bot, place, fileId);
    } catch (error) {
      // An app without the scope to read: showing it twice is better than not at all.
      if (error instanceof SendError && error.final) return false;
      throw error;
    }
  }

  /** Several files take longer than one claim: each step begins it anew. */
  async #set(row: MessageRow, index: number, change: Partial<AnswerFile>): Promise<MessageRow> {
    const { rows, clock } = this.#deps;
    const answerFiles = row.answerFiles.map((file, at) => (at === index ? { ...file, ...change } : file));
    const nextAttemptAt = new Date((await clock()).getTime() + CLAIM_SECONDS * 1_000);
    const after = await rows.set(row.id, { answerFiles, nextAttemptAt });
    if (after === undefined) throw new SendError("The bot was deleted", true);
    return after;
  }
}

function fileAt({ answerFiles }: MessageRow, index: number): AnswerFile {
  const file = answerFiles[index];
  if (file === undefined) throw new Error(`the answer has no file ${index}`);
  return file;
}

function isOver(error: unknown, isLast: boolean): error is Error {
  if (error instanceof SendError) return error.final || isLast;
  return isOvenError(error) && error.status < 500;
}
