import type { Principal } from "@oven/contract";

/** What is at an address, for the person who is asked to let a client in. */
export interface ProtectedServer {
  title: string;
  /** All that calls there can need. */
  permissions: readonly string[];
}

/** Addresses below `/api/mcp/` that take OAuth tokens. */
export interface ProtectedServers {
  /** `support-reply`, `oven`, `triggers/7`. */
  matches(path: string): boolean;
  /** What a client may ask for there. The same whatever is behind an address, so that strangers learn nothing of it. */
  scopes(): readonly string[];
  /** Undefined: there is nothing for this person. */
  describe(principal: Principal, path: string): Promise<ProtectedServer | undefined>;
}
