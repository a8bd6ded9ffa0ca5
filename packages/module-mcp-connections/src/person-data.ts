import type { PersonData } from "@oven/module-registry";

/** Who connected and approved is a number. */
export const personData: PersonData = {
  holdings: [],
  numbers: ["mcp_connections.created_by", "mcp_connection_tools.approved_by"],
};
