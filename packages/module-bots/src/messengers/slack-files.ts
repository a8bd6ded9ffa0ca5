import { type MessengersFace, SendError } from "@oven/module-notifications";
import { z } from "zod";
import { type BotRow, slackSource } from "../bots/bot-row.ts";
import type { FileTaker, Place } from "./bot-messenger.ts";

const UploadSchema = z.looseObject({ upload_url: z.url(), file_id: z.string().min(1) });
const ids = z.array(z.string()).optional();
const SharesSchema = z.record(z.string(), z.array(z.looseObject({}))).optional();
const FileSchema = z.looseObject({
  file: z.looseObject({
    channels: ids,
    groups: ids,
    ims: ids,
    shares: z.looseObject({ public: SharesSchema, private: SharesSchema }).optional(),
  }),
});

/** Files in Slack: an address for the content, the content, and then the message that shows it. https://docs.slack.dev/messaging/working-with-files */
export class SlackFiles implements FileTaker {
  readonly #slack: MessengersFace["slack"];

  constructor({ slack }: Pick<MessengersFace, "slack">) {
    this.#slack = slack;
  }

  async upload(bot: BotRow, filename: string, data: Uint8Array): Promise<string> {
    const asked = { filename, length: String(data.byteLength) };
    const answer = await this.#slack.call(slackSource(bot), "files.getUploadURLExternal", asked, "form");
    const upload = UploadSchema.safeParse(answer).data;
    if (upload === undefined) throw new SendError("Slack did not say where the file is to go", false);
    await this.#slack.upload(slackSource(bot), upload.upload_url, data);
    return upload.file_id;
  }

  async share(bot: BotRow, { conversation, thread }: Place, id: string, title: string): Promise<void> {
    const place = { channel_id: conversation, ...(thread === null ? {} : { thread_ts: thread }) };
    const body = { files: JSON.stringify([{ id, title }]), ...place };
    await this.#slack.call(slackSource(bot), "files.completeUploadExternal", body, "form");
  }

  async isShared(bot: BotRow, { conversation }: Place, id: string): Promise<boolean> {
    const answer = await this.#slack.call(slackSource(bot), "files.info", { file: id }, "form");
    const { channels = [], groups = [], ims = [], shares } = FileSchema.parse(answer).file;
    const shared = [shares?.public ?? {}, shares?.private ?? {}].flatMap((places) => Object.keys(places));
    return [...channels, ...groups, ...ims, ...shared].includes(conversation);
  }
}
