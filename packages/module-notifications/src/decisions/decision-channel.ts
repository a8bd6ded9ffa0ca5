import type { JsonObject } from "@oven/contract";
import type { NotificationChannel } from "@oven/contract/system";
import type { ShownReview } from "./shown-review.ts";

/** The types of channels whose messages about reviews decide. */
export const DECIDING_TYPES = ["slack-app", "teams"] as const;
export type DecidingType = (typeof DECIDING_TYPES)[number];
export type DecidingSettings = Extract<NotificationChannel, { type: DecidingType }>;

/** What a message says besides the review. */
export interface Words {
  subject: string;
  text: string;
}

/** A way to show a review to people who decide it there. */
export interface DecisionChannel<Settings extends DecidingSettings = DecidingSettings> {
  /**
   * Posts a message.
   * @param review undefined: it is about something else
   * @param thread of Slack: the `ts` of the message that began it
   * @returns where the message is, for `update`
   * @throws SendError
   */
  post(
    tenantId: number,
    settings: Settings,
    message: Words & { link: string },
    review: ShownReview | undefined,
    thread?: string,
  ): Promise<JsonObject>;
  /**
   * Shows the review as it is now, for everybody.
   * @param place of `post`
   * @throws SendError
   */
  update(tenantId: number, settings: Settings, place: JsonObject, words: Words, review: ShownReview): Promise<void>;
}

/** One for each type of channel. */
export type DecisionChannels = { [Type in DecidingType]: DecisionChannel<Extract<DecidingSettings, { type: Type }>> };

export function isDeciding(settings: NotificationChannel): settings is DecidingSettings {
  return DECIDING_TYPES.some((type) => type === settings.type);
}

/** The path at which a rule's channel posts decisions; null where it takes none. */
export function toDecisionsPath({ type }: Pick<NotificationChannel, "type">, key: string | null): string | null {
  if (key === null) return null;
  if (type === "slack-app") return `/api/decisions/slack/${key}`;
  return type === "teams" ? `/api/decisions/teams/${key}` : null;
}

/** The channel of its type. */
export function channelOf<Settings extends DecidingSettings>(
  channels: DecisionChannels,
  { type }: Settings,
): DecisionChannel<Settings> {
  return channels[type] as unknown as DecisionChannel<Settings>; // cast: each stands under its own type
}
