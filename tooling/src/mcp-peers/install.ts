import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The clients and servers of others, a workspace of its own: starting OVEN never installs them. */
export const PEERS = join(import.meta.dirname, "../../../mcp-peers");

/** Installs what the lockfile of `mcp-peers/` names, unless it is there. @throws Error when that is not possible */
export function installPeers(): void {
  const { status } = spawnSync("npx", ["-y", "pnpm@12.21.0", "install", "--frozen-lockfile"], {
    cwd: PEERS,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`mcp-peers/ could not be installed: pnpm ended with ${status}`);
}

/** As installed, not as asked for. */
export function versionOf(name: string): string {
  const text = readFileSync(join(PEERS, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version; // cast: npm requires it
}
