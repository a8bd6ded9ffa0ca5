export type { Clock } from "@oven/db";
export { escapeSlack } from "./channels/escape-slack.ts";
export type { MailSettings } from "./channels/mail-sender.ts";
export { SendError } from "./channels/outgoing.ts";
export { toOrigin } from "./channels/to-origin.ts";
export type { DecidingSettings } from "./decisions/decision-channel.ts";
export type { DecisionSource } from "./decisions/decision-source.ts";
export type { OutsideAccount } from "./decisions/links/account-links.ts";
export type { MessengersFace } from "./decisions/messengers-face.ts";
export { toShownLine } from "./decisions/review-text.ts";
export type { TeamsActivity } from "./decisions/teams/teams-intake.ts";
export { shorten } from "./messages/shorten.ts";
export {
  createNotificationsModule,
  type NotificationsOptions,
  type NotificationsService,
} from "./notifications.module.ts";
