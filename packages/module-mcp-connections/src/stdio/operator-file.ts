import { readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { OvenError, parseJson, SlugSchema } from "@oven/contract";
import { decodeText } from "@oven/contract/text";
import { z } from "zod";

const StdioServerSchema = z.strictObject({
  name: SlugSchema,
  title: z.string().max(200).optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** Beside the few that every program needs (PATH, HOME, …) nothing of OVEN's own environment is handed on. */
  env: z.record(z.string(), z.string()).default({}),
  /** Where it works; else in an empty directory of its own. */
  cwd: z
    .string()
    .refine(
      (path) => isAbsolute(path) && resolve(path) !== process.cwd(),
      "an absolute path, and not OVEN's own directory",
    )
    .optional(),
  /** Whose agents may use it. */
  tenantId: z.int().positive().default(1),
  timeoutMs: z.int().min(1_000).max(600_000).default(60_000),
  maxTotalMs: z.int().min(1_000).max(86_400_000).default(600_000),
  maxBytes: z.int().min(1_024).max(33_554_432).default(4_194_304),
  maxSessions: z.int().min(1).max(1_000).default(10),
  sessionWaitMs: z.int().min(0).max(600_000).default(30_000),
  sessionIdleMs: z.int().min(1_000).max(86_400_000).default(300_000),
});
export type StdioServer = z.output<typeof StdioServerSchema>;

const FileSchema = z.strictObject({ servers: z.array(StdioServerSchema).max(100) });

/**
 * The servers that an operator lets OVEN start as child processes. Only this file names commands: no API, no import, no definition.
 * @throws OvenError INVALID_ENVIRONMENT
 */
export function readOperatorFile(path: string): StdioServer[] {
  let servers: StdioServer[];
  try {
    servers = FileSchema.parse(parseJson(decodeText(readFileSync(path)).text)).servers;
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new OvenError("INVALID_ENVIRONMENT", `OVEN_MCP_SERVERS_FILE: ${path} cannot be used: ${why}`, {
      fix: 'Write it as {"servers": [{"name": "files", "command": "/usr/bin/server", "args": []}]}, or unset the variable.',
      cause,
    });
  }
  const keys = servers.map(({ tenantId, name }) => `${tenantId}/${name}`);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice === undefined) return servers;
  throw new OvenError("INVALID_ENVIRONMENT", `OVEN_MCP_SERVERS_FILE: two servers are called ${twice}`, {
    fix: "Give each a name of its own.",
  });
}
