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
    production: !dev,
  };
}

/** The secret made at the first start, readable by the owner only. */
function keepSecret(dataDir: string): string {
  const path = join(dataDir, "secret");
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  mkdirSync(dataDir, { recursive: true });
  const secret = randomBytes(32).toString("base64url");
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: "wx" });
  return secret;
}
