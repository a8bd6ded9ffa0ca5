import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { OvenError } from "@oven/contract";
import type { RuntimeEnvironment } from "@oven/module-registry";
import { z } from "zod";

export interface ServerEnvironment extends RuntimeEnvironment {
  port: number;
  host: string;
  databaseUrl: string | undefined;
}

const flag = z.enum(["0", "1"]).transform((value) => value === "1");
const url = (protocols: RegExp) => z.url({ protocol: protocols });

/** `http://10.0.0.5:8080,https://intranet.example`: exact origins, without paths. */
const origins = z.string().transform((text, context) =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => {
      const parsed = URL.canParse(entry) ? new URL(entry) : undefined;
      if (parsed !== undefined && /^https?:\/\/[^*]+$/.test(parsed.origin) && parsed.href === `${parsed.origin}/`)
        return parsed.origin;
      context.addIssue(`${entry} is not an origin such as http://10.0.0.5:8080`);
      return z.NEVER;
    }),
);

const EnvironmentSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3_000),
  OVEN_HOST: z.string().min(1).default("127.0.0.1"),
  OVEN_PUBLIC_URL: url(/^https?$/).optional(),
  OVEN_DATA_DIR: z.string().min(1).default(".oven"),
  OVEN_SECRET: z.string().min(32, "at least 32 characters").optional(),
  OVEN_DEMO: flag.default(true),
  OVEN_BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{24,}$/, "24 or more printable characters")
    .optional(),
  OVEN_OUTBOUND_ALLOW: origins.default([]),
  DATABASE_URL: url(/^postgres(ql)?$/).optional(),
  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: url(/^https?$/).optional(),
  NODE_ENV: z.string().optional(),
});

const ROOT = resolve(import.meta.dirname, "../../..");

/**
 * Reads and checks the environment.
 * @throws OvenError INVALID_ENVIRONMENT, one line naming the variable
 */
export function readEnvironment(variables: NodeJS.ProcessEnv, dev: boolean): ServerEnvironment {
  const parsed = EnvironmentSchema.safeParse(variables);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new OvenError("INVALID_ENVIRONMENT", `${issue?.path.join(".")}: ${issue?.message}`, {
      fix: "Correct the variable or unset it; README lists them.",
    });
  }
  const { data } = parsed;
  const dataDir = resolve(ROOT, data.OVEN_DATA_DIR);
  return {
    port: data.PORT,
    host: data.OVEN_HOST,
    publicUrl: (data.OVEN_PUBLIC_URL ?? `http://localhost:${data.PORT}`).replace(/\/+$/, ""),
    dataDir,
    secret: data.OVEN_SECRET ?? keepSecret(dataDir),
    demo: data.OVEN_DEMO,
    databaseUrl: data.DATABASE_URL,
    openaiApiKey: data.OPENAI_API_KEY,
    openaiBaseUrl: data.OPENAI_BASE_URL,
    bootstrapApiKey: data.OVEN_BOOTSTRAP_API_KEY,
    outboundAllow: data.OVEN_OUTBOUND_ALLOW,
    production: !dev,
  };
}

/**
 * The secret made at the first start, readable by the owner only.
 * @throws OvenError DATA_DIR_UNUSABLE; INVALID_ENVIRONMENT when the file was cut short, for sessions must not be signed with nothing
 */
function keepSecret(dataDir: string): string {
  const path = join(dataDir, "secret");
  const secret = readOrMakeSecret(dataDir, path);
  if (secret.length >= 32) return secret;
  throw new OvenError("INVALID_ENVIRONMENT", `The secret in ${path} has fewer than 32 characters`, {
    fix: "Set OVEN_SECRET, or delete the file to get a new one; everybody signs in again then.",
  });
}

function readOrMakeSecret(dataDir: string, path: string): string {
  try {
    if (existsSync(path)) return readFileSync(path, "utf8").trim();
    mkdirSync(dataDir, { recursive: true });
    const secret = randomBytes(32).toString("base64url");
    writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: "wx" });
    return secret;
  } catch (error) {
    throw new OvenError(
      "DATA_DIR_UNUSABLE",
      `The data directory ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      { fix: "Give this user the right to write there, or choose another OVEN_DATA_DIR.", cause: error },
    );
  }
}
