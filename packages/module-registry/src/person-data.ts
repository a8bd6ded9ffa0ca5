import type { PersonData } from "./define/person-data.ts";
import { outboxEvents } from "./schema.ts";

/** What events tell of a person. */
export const personData: PersonData = {
  holdings: [
    {
      table: outboxEvents,
      title: "Events that the person caused",
      where: "r.actor->>'kind' = 'user' and r.actor->>'id' = s.user_id::text",
      erase: {
        how: "retain",
        why: "The log of events has the number of the account only, and is removed after the days that the tenant has set.",
      },
    },
  ],
  numbers: ["module_configs.created_by", "secrets.created_by", "graph_policies.created_by"],
};
