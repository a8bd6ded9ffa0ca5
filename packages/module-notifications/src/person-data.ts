import type { PersonData } from "@oven/module-registry";
import {
  linkedAccounts,
  notificationDeliveries,
  notificationPreferences,
  notifications,
  replyCodes,
} from "./schema.ts";

const OWN = "r.user_id = s.user_id";

/** What a person was sent, and how they want to be sent it. */
export const personData: PersonData = {
  holdings: [
    { table: notifications, title: "Notifications of the person", where: OWN, erase: { how: "delete" } },
    {
      table: notificationDeliveries,
      title: "Mail to the person",
      where: `${OWN} or lower(r.recipient) = s.email`,
      erase: { how: "delete" },
    },
    { table: notificationPreferences, title: "Settings of notifications", where: OWN, erase: { how: "delete" } },
    {
      table: linkedAccounts,
      title: "Linked accounts of messengers",
      where: OWN,
      hidden: ["proof"],
      erase: { how: "delete" },
    },
    {
      table: replyCodes,
      title: "Codes to decide by mail",
      where: OWN,
      hidden: ["code_hash"],
      erase: { how: "delete" },
    },
  ],
  numbers: ["notification_rules.recipients"],
};
