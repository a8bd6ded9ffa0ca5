import type { PersonData } from "@oven/module-registry";
import { apiAccounts, apiSignIns } from "./schema.ts";

/** Accounts that a person has connected; who connected an API and approved its operations is a number. */
export const personData: PersonData = {
  holdings: [
    {
      table: apiAccounts,
      title: "Accounts of the person at connected APIs",
      where: "r.user_id = s.user_id",
      hidden: ["sealed"],
      erase: { how: "delete" },
    },
    {
      table: apiSignIns,
      title: "Sign-ins at connected APIs that are under way",
      where: "r.user_id = s.user_id",
      hidden: ["sealed", "state_hash"],
      erase: { how: "delete" },
    },
  ],
  numbers: ["api_connections.created_by", "api_operations.approved_by"],
};
