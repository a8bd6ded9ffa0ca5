import type { PersonData } from "@oven/module-registry";
import { aiDocuments } from "./schema.ts";

/** Knowledge is about a person where `person` in a document's metadata says so: their e-mail address, or the number of their account. */
export const personData: PersonData = {
  holdings: [
    {
      table: aiDocuments,
      title: "Documents about the person",
      where: "lower(r.metadata->>'person') = s.email or r.metadata->>'person' = s.user_id::text",
      hidden: ["lease_token"],
      erase: { how: "delete" },
    },
    {
      table: aiDocuments,
      title: "Documents that the person uploaded",
      where: "r.user_id = s.user_id",
      hidden: ["lease_token"],
      erase: { how: "clear", columns: { user_id: "null" } },
    },
  ],
  numbers: ["ai_usage_logs.user_id"],
};
