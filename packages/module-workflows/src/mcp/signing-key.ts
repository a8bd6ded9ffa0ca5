import { hkdfSync } from "node:crypto";

/** The key that signs values which MCP clients send back, derived from the root secret: HKDF-SHA-256, RFC 5869. */
export function toSigningKey(rootSecret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", rootSecret, "oven", "mcp/request-state", 32));
}
