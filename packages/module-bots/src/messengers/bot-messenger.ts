import type { BotRow } from "../bots/bot-row.ts";

/** Where a message stands, and its answer goes. */
export type Place = {
  /** Of Slack: a channel; of Teams: a conversation. */
  conversation: string;
  /** Of Slack: the `ts` of the message that began the thread; null: the answer is no thread. */
  thread: string | null;
  /** Of Slack: the `ts` of the message itself. */
  message: string;
  /** Of Teams: the address of the connector, which its token named. */
  serviceUrl: string | null;
  isDirect: boolean;
};

/** An address that one person alone may see. */
export interface PrivateLink {
  url: string;
  /** What is said instead of text and address where everybody reads what the bot says. */
  openly: string;
}

/** A way to answer people in a messenger. Each method throws `SendError` for what the messenger does not take. */
export interface BotMessenger {
  /** The longest text of one message. */
  readonly longest: number;
  /** Text of a model or a person as the messenger shows it: marks of Markdown are taken over, and nothing mentions anyone. */
  toText(markdown: string): string;
  /**
   * Posts where the message stands.
   * @param marker by which `find` finds it
   * @returns its id
   */
  post(bot: BotRow, place: Place, text: string, marker: string): Promise<string>;
  /** What was posted with this marker; undefined: nothing, or the messenger cannot say. */
  find(bot: BotRow, place: Place, marker: string): Promise<string | undefined>;
  update(bot: BotRow, place: Place, id: string, text: string): Promise<void>;
  /** Says to one person alone. */
  whisper(bot: BotRow, place: Place, account: string, text: string, link?: PrivateLink): Promise<void>;
  /** A sign that an answer is made, where it is not a message; absent: the first message says so. */
  typing?(bot: BotRow, place: Place): Promise<void>;
  /** Absent: files of answers stay on the page of the run. */
  readonly files?: FileTaker;
}

/** How a messenger takes files. Each method throws `SendError` for what it does not take. */
export interface FileTaker {
  /** Hands the content over; no one sees it yet. @returns what the messenger calls it */
  upload(bot: BotRow, name: string, data: Uint8Array): Promise<string>;
  /** Shows it where the message stands. */
  share(bot: BotRow, place: Place, fileId: string, name: string): Promise<void>;
  isShared(bot: BotRow, place: Place, fileId: string): Promise<boolean>;
}
