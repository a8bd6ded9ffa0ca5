import { createHash } from "node:crypto";

const PLAIN = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;
const MOST_CHARACTERS = 100;
/** The first part of the ids of tools of connected MCP servers. */
export const MCP_NAMESPACE = "mcp";

/**
 * `mcp.{connection}.{tool}`. A name that bindings cannot write (`search/all`, `søk`) gets its other characters replaced, and eight
 * characters of its hash, so that two names never become one id.
 */
export function toToolId(connection: string, name: string): string {
  const isPlain = PLAIN.test(name) && name.length <= MOST_CHARACTERS;
  return `${MCP_NAMESPACE}.${connection}.${isPlain ? name : replaced(name)}`;
}

function replaced(name: string): string {
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, MOST_CHARACTERS - 9)}_${hash}`;
}
