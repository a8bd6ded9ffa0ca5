import { isOvenError, SYSTEM_PRINCIPAL } from "@oven/contract";
import { executionPath, isTerminal } from "@oven/contract/run";
import { type Clock, type Database, withinTenant } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import { SendError, shorten } from "@oven/module-notifications";
import type { ServiceMap } from "@oven/module-registry";
import { BOT_SENTENCES, type BotWords, botWords } from "../bot-sentences.ts";
import { type BotRow, sourceAt } from "../bots/bot-row.ts";
import { languageOf } from "../bots-config.ts";
import type { BotMessenger } from "../messengers/bot-messenger.ts";
import { bots } from "../schema.ts";
import { type AnswerFile, answerFiles } from "./answer-files.ts";
import { AnswerPoster } from "./answer-poster.ts";
import { FilePoster } from "./file-poster.ts";
import { identify } from "./identify.ts";
import { type MessageRow, type MessageRows, OVER_LIMIT } from "./message-rows.ts";
import { readFiles } from "./read-files.ts";
import { startAnswer } from "./start-answer.ts";

export interface MessageWorkerDeps {
  /** The one that sees every tenant. */
  db: Database;
  services: ServiceMap;
  clock: Clock;
  publicUrl: string;
  rows: MessageRows;
  messengers: Record<BotRow["connection"]["type"], BotMessenger>;
}

const MAX_ATTEMPTS = 10;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 600_000;
/** Events wake it; this is for those that were missed. */
const LOOK_AGAIN_MS = 30_000;
const LONGEST_REASON = 400;

/** Takes messages from where their rows say they are to their answers. Each step may be the last one before a crash, and is done again. */
export class MessageWorker {
  readonly #deps: MessageWorkerDeps;
  readonly #poster: AnswerPoster;
  readonly #files: FilePoster;

  constructor(deps: MessageWorkerDeps) {
    this.#deps = deps;
    this.#poster = new AnswerPoster(deps.rows);
    this.#files = new FilePoster(deps);
  }

  /** All that is due. */
  async workDue(): Promise<void> {
    for (;;) {
      const claimed = await this.#deps.rows.claim(await this.#deps.clock());
      if (claimed.length === 0) return;
      await Promise.all(claimed.map((row) => withinTenant(row.tenantId, () => this.#work(row))));
    }
  }

  async #work(first: MessageRow): Promise<void> {
    const [bot] = await this.#deps.db.orm.select().from(bots).where(eq(bots.id, first.botId));
    if (bot === undefined || !bot.enabled) {
      await this.#end(first, "failed", "The bot is off");
      return;
    }
    try {
      const words = botWords(await languageOf(this.#deps.services.config, bot));
      for (let row: MessageRow | undefined = first; row !== undefined; ) row = await this.#step(bot, row, words);
      const ended = await this.#deps.rows.get(first.id);
      const wrong = ended?.answerFiles.find(({ reason }) => reason !== null)?.reason ?? null;
      if (bot.lastError !== wrong) await this.#noteError(bot, wrong);
    } catch (error) {
      await this.#failed(bot, first.id, error);
    }
  }

  /** @returns the row as it is after the step; undefined: it waits or has ended */
  async #step(bot: BotRow, row: MessageRow, words: BotWords): Promise<MessageRow | undefined> {
    switch (row.status) {
      case "received":
        return this.#begin(bot, row, words);
      case "running":
      case "waiting":
        return this.#look(bot, row, words);
      case "answering":
        return this.#answer(bot, row, words);
      default:
        return undefined;
    }
  }

  async #answer(bot: BotRow, row: MessageRow, words: BotWords): Promise<undefined> {
    const messenger = this.#messenger(bot);
    const said = await this.#poster.answer(messenger, bot, row, row.answer ?? words("nothing"));
    const posted = await this.#files.post(messenger, bot, said, row.attempts + 1 >= MAX_ATTEMPTS);
    const left = posted.answerFiles
      .filter(({ state }) => state === "left")
      .map(({ name }) => `\`${name.replaceAll("`", "'")}\``);
    if (left.length > 0) {
      const { executionKind: kind, executionId: id } = row;
      if (kind === null || id === null) throw new Error(`message ${row.id} has files and no run`);
      const link = `${this.#deps.publicUrl}${executionPath(kind, id)}`;
      await this.#poster.note(messenger, bot, posted, words("left", { files: left.join(", "), link }));
    }
    return this.#end(row, "answered", row.reason);
  }

  async #begin(bot: BotRow, row: MessageRow, words: BotWords): Promise<MessageRow | undefined> {
    const { services, publicUrl, rows, db } = this.#deps;
    const messenger = this.#messenger(bot);
    const { all, limited } = await rows.ofLastHour(row);
    if (all >= bot.perHour) {
      // It is said once, and not to each message of a flood.
      if (limited === 0) await messenger.whisper(bot, row.place, row.account, words("limit", { limit: bot.perHour }));
      return this.#end(row, "refused", OVER_LIMIT);
    }
    const who = await identify(services, publicUrl, bot, row);
    if (!who.known) {
      const link = who.link === undefined ? undefined : { url: who.link, openly: words("unlinkedOpenly") };
      await messenger.whisper(bot, row.place, row.account, words(who.why), link);
      return this.#end(row, "refused", link === undefined ? BOT_SENTENCES[who.why] : "The account is not linked");
    }
    if (row.text === "" && row.files.length === 0) {
      await messenger.whisper(bot, row.place, row.account, words("empty"));
      return this.#end(row, "refused", "The message has no text");
    }
    const signed = await this.#withFiles(bot, await this.#poster.sign(messenger, bot, row, words("working")));
    try {
      const run = await startAnswer({ db, services, rows }, bot, signed, who.principal, who.identity);
      const change = { executionKind: run.kind, executionId: run.id, userId: who.userId };
      return rows.set(row.id, { status: "running", ...change, attempts: 0 });
    } catch (error) {
      if (!isOvenError(error) || error.status >= 500 || error.status === 429) throw error;
      return this.#say(signed, error.message, error.code);
    }
  }

  /** The files are fetched once: a start that is tried again says the same. */
  async #withFiles(bot: BotRow, row: MessageRow): Promise<MessageRow> {
    if (row.files.length === 0) return row;
    const { words, given } = await readFiles(this.#deps.services, bot, row.files);
    const text = [row.text, words].filter((part) => part !== "").join("\n\n");
    const clean = text.toWellFormed().replaceAll("\0", "");
    return (await this.#deps.rows.set(row.id, { text: clean, given, files: [] })) ?? row;
  }

  async #look(bot: BotRow, row: MessageRow, words: BotWords): Promise<MessageRow | undefined> {
    const { services, rows, clock } = this.#deps;
    const { executionKind: kind, executionId: id, tenantId } = row;
    if (kind === null || id === null) throw new Error(`message ${row.id} has no run`);
    // What came of it is said where it was asked; the rights of the person were those of the run.
    const system = { ...SYSTEM_PRINCIPAL, tenantId };
    const { status, text, error, pending } = await services.asks.outcome(system, { kind, id });
    if (status === "completed") {
      const isTaken = this.#messenger(bot).files !== undefined;
      const files = await answerFiles(services, system, { kind, id }, isTaken);
      return this.#say(row, text === null || text.trim() === "" ? words("nothing") : text, null, files);
    }
    if (isTerminal(status)) {
      const said = error === null ? words("stopped") : words("failed", { problem: error.message });
      return this.#say(row, shorten(said, LONGEST_REASON), error?.code ?? status);
    }
    const shown = await this.#showReviews(bot, row, pending, words);
    const isWaiting = status === "paused" && pending.length > 0;
    if (isWaiting && row.status === "running")
      await this.#poster.sign(this.#messenger(bot), bot, shown, words("waiting"));
    const nextAttemptAt = new Date((await clock()).getTime() + LOOK_AGAIN_MS);
    await rows.set(row.id, { status: isWaiting ? "waiting" : "running", nextAttemptAt, attempts: 0 });
    return undefined;
  }

  /** Each review once, with the buttons that decide. */
  async #showReviews(
    bot: BotRow,
    row: MessageRow,
    pending: readonly { reviewId: number; title: string; url: string }[],
    words: BotWords,
  ): Promise<MessageRow> {
    const { services, rows } = this.#deps;
    let current = row;
    for (const { reviewId, title, url } of pending) {
      if (current.reviews.includes(reviewId)) continue;
      const message = { subject: words("review", { title }), text: words("decide"), link: url };
      const source = sourceAt(bot, row.place);
      await services.messengers.postReview(source, message, reviewId, row.place.thread ?? undefined);
      current = (await rows.set(row.id, { reviews: [...current.reviews, reviewId] })) ?? current;
    }
    return current;
  }

  #say(
    row: MessageRow,
    answer: string,
    reason: string | null,
    files: AnswerFile[] = [],
  ): Promise<MessageRow | undefined> {
    const { services, rows } = this.#deps;
    const text = services.secrets.redact(row.tenantId, answer).toWellFormed().replaceAll("\0", "");
    const { nextAttemptAt } = row;
    return rows.set(row.id, {
      status: "answering",
      answer: text,
      answerFiles: files,
      ...{ reason, nextAttemptAt, attempts: 0 },
    });
  }

  async #end(row: MessageRow, status: MessageRow["status"], reason: string | null): Promise<undefined> {
    await this.#deps.rows.set(row.id, { status, reason, endedAt: await this.#deps.clock() });
    return undefined;
  }

  async #failed(bot: BotRow, id: number, error: unknown): Promise<void> {
    const { rows, clock, services } = this.#deps;
    const row = await rows.get(id);
    if (row === undefined) return;
    const message = error instanceof Error ? error.message : String(error);
    const reason = services.secrets.redact(bot.tenantId, message).toWellFormed().replaceAll("\0", "");
    if (!(error instanceof SendError) && !isOvenError(error))
      console.error(`message ${id} to bot ${bot.id}:`, services.secrets.redactError(bot.tenantId, error));
    await this.#noteError(bot, reason);
    const attempts = row.attempts + 1;
    const isOver = attempts >= MAX_ATTEMPTS;
    if (isOver && !(error instanceof SendError) && row.status !== "answering") {
      // The messenger takes messages: the person is not left with a sign that an answer is made.
      const words = botWords(await languageOf(services.config, bot));
      const said = isOvenError(error) ? words("failed", { problem: error.message }) : words("broken");
      await this.#say({ ...row, nextAttemptAt: await clock() }, shorten(said, LONGEST_REASON), reason);
      return;
    }
    if (isOver || (error instanceof SendError && error.final)) {
      await rows.set(id, { status: "failed", attempts, reason, endedAt: await clock() });
      return;
    }
    const asked = error instanceof SendError || isOvenError(error) ? error.retryAfterMs : undefined;
    const wait = asked ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
    await rows.set(id, { attempts, reason, nextAttemptAt: new Date((await clock()).getTime() + wait) });
  }

  async #noteError({ id }: BotRow, lastError: string | null): Promise<void> {
    await this.#deps.db.orm.update(bots).set({ lastError }).where(eq(bots.id, id));
  }

  #messenger({ connection }: BotRow): BotMessenger {
    return this.#deps.messengers[connection.type];
  }
}
