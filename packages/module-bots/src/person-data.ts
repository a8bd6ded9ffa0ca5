import type { PersonData } from "@oven/module-registry";
import { botMessages } from "./schema.ts";

/** What a person with a linked account has said to bots. */
export const personData: PersonData = {
  holdings: [
    {
      table: botMessages,
      title: "Messages to bots",
      where: "r.user_id = s.user_id",
      hidden: ["proof", "marker"],
      erase: { how: "delete" },
    },
  ],
  numbers: ["bots.saved_by"],
};
