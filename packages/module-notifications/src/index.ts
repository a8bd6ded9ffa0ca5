export type { MailSettings } from "./channels/mail-sender.ts";
export type { Clock } from "./deliveries/clock.ts";
export {
  createNotificationsModule,
  type NotificationsOptions,
  type NotificationsService,
} from "./notifications.module.ts";
