import { type MessengersFace, SendError } from "@oven/module-notifications";
import { type BotRow, teamsSource } from "../bots/bot-row.ts";
import type { BotMessenger, Place, PrivateLink } from "./bot-messenger.ts";
import { toTeamsText } from "./teams-text.ts";

/** Teams takes about 28 KB, and a character may be three bytes. */
const LONGEST = 7_000;

/** Answers by a bot of Microsoft Teams. */
export class TeamsMessenger implements BotMessenger {
  readonly longest = LONGEST;
  readonly #messengers: Pick<MessengersFace, "teams">;

  constructor(messengers: Pick<MessengersFace, "teams">) {
    this.#messengers = messengers;
  }

  toText(markdown: string): string {
    return toTeamsText(markdown);
  }

  async post(bot: BotRow, place: Place, text: string): Promise<string> {
    const { id } = await this.#send(bot, place, { type: "message", textFormat: "markdown", text });
    if (typeof id !== "string") throw new SendError("The Bot Connector did not say where the message is", false);
    return id;
  }

  /** A bot cannot read what it has posted. */
  async find(): Promise<undefined> {
    return undefined;
  }

  async update(bot: BotRow, place: Place, id: string, text: string): Promise<void> {
    const { conversation } = place;
    const path = `${encodeURIComponent(conversation)}/activities/${encodeURIComponent(id)}`;
    const body = { type: "message", textFormat: "markdown", text };
    await this.#messengers.teams.call(teamsSource(bot, place), "PUT", path, body);
  }

  /** In a channel everybody reads what a bot says: an address that links an account is said in a chat with the person only. */
  async whisper(bot: BotRow, place: Place, _account: string, text: string, link?: PrivateLink): Promise<void> {
    if (link === undefined) return void (await this.post(bot, place, toTeamsText(text)));
    await this.post(bot, place, toTeamsText(place.isDirect ? `${text} ${link.url}` : link.openly));
  }

  async typing(bot: BotRow, place: Place): Promise<void> {
    await this.#send(bot, place, { type: "typing" });
  }

  #send(bot: BotRow, place: Place, activity: object) {
    const path = `${encodeURIComponent(place.conversation)}/activities`;
    return this.#messengers.teams.call(teamsSource(bot, place), "POST", path, activity);
  }
}
