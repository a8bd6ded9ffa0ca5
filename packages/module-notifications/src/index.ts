export type { Clock } from "@oven/db";
export type { MailSettings } from "./channels/mail-sender.ts";
export {
  createNotificationsModule,
  type NotificationsOptions,
  type NotificationsService,
} from "./notifications.module.ts";
