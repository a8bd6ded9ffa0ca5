import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const ROOT = join(import.meta.dirname, "../../..");

/** pnpm in the repository's root, in the version that the README names. */
export async function runPnpm(...args: string[]): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const pnpm = spawn("npx", ["-y", "pnpm@12.21.0", ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [status]] = await Promise.all([text(pnpm.stdout), text(pnpm.stderr), once(pnpm, "close")]);
  return { status: typeof status === "number" ? status : null, stdout, stderr };
}
