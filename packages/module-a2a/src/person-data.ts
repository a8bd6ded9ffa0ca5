import type { PersonData } from "@oven/module-registry";

/** Who connected and approved an agent, and whose rights a push has, is a number. */
export const personData: PersonData = {
  holdings: [],
  numbers: ["a2a_connections.created_by", "a2a_connections.approved_by", "a2a_pushes.user_id"],
};
