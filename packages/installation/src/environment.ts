import { resolve } from "node:path";
import { OvenError } from "@oven/contract";
import type { MailSettings } from "@oven/module-notifications";
import type { ModuleDefinition, RuntimeEnvironment, WorkerSettings } from "@oven/module-registry";
import { AddressRanges } from "@oven/module-registry/address-ranges";
import type { OidcSettings } from "@oven/module-roles";
import { z } from "zod";
import type { LogFormat } from "./redacted-console.ts";
import { defaultDataDir, readRelease, settingsFolder } from "./release.ts";
import { hasSecret, keepSecret, readSecret } from "./secret.ts";

/** What every process of an installation needs. */
export interface InstallationEnvironment extends Omit<RuntimeEnvironment, "variables"> {
  /** As the process was started with: modules read the variables that they declare from it. */
  processVariables: Readonly<Record<string, string | undefined>>;
  worker: WorkerSettings;
  databaseUrl: string | undefined;
  /** The same database without a pooler between; absent: `databaseUrl`. */
  databaseUrlDirect: string | undefined;
  /** Sign-in at an OpenID Connect provider; absent: e-mail and password only. */
  oidc?: OidcSettings;
  /** The mail server for notifications; absent: no e-mail. */
  mail?: MailSettings;
  /** Where the operator names MCP servers that are started as child processes; absent: none are. */
  mcpServersFile?: string;
  /** Addresses and ranges of reverse proxies: what they forward says from where a request came. */
  trustedProxies: readonly string[];
  /** How the console is written. */
  logFormat: LogFormat;
}

export interface ServerEnvironment extends InstallationEnvironment {
  port: number;
  host: string;
}

export interface WorkerEnvironment extends InstallationEnvironment {
  databaseUrl: string;
  host: string;
  /** Port of the health endpoint; absent: none. */
  healthPort: number | undefined;
  /** How long it waits for a database that is away when it starts. */
  databaseWaitMs: number;
}

/** How long a server lets calls in flight go on after SIGTERM: it must be gone ten seconds after. */
const SERVER_DRAIN_SECONDS = 8;
/** The usual grace of a service manager is 30 s. */
const WORKER_DRAIN_SECONDS = 25;

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

/** `10.0.0.1,192.168.0.0/16,2001:db8::/32`: addresses and ranges. */
const addressRanges = z.string().transform((text, context) =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => {
      try {
        new AddressRanges([entry]);
        return entry;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        context.addIssue(`${entry} is not an address or range such as 10.0.0.1 or 10.0.0.0/8`);
        return z.NEVER;
      }
    }),
);

/** The secrets before the present one, separated by commas. */
const earlierSecrets = z
  .string()
  .transform((text) => text.split(",").map((entry) => entry.trim()))
  .pipe(z.array(z.string().min(32, "at least 32 characters each")));

const EnvironmentSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3_000),
  OVEN_HOST: z.string().min(1).default("127.0.0.1"),
  OVEN_PUBLIC_URL: url(/^https?$/).optional(),
  OVEN_DATA_DIR: z.string().min(1).optional(),
  OVEN_SECRET: z.string().min(32, "at least 32 characters").optional(),
  OVEN_SECRET_PREVIOUS: earlierSecrets.default([]),
  OVEN_DEMO: flag.default(true),
  OVEN_BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{24,}$/, "24 or more printable characters")
    .optional(),
  OVEN_OUTBOUND_ALLOW: origins.default([]),
  OVEN_TRUSTED_PROXIES: addressRanges.default([]),
  OVEN_WORKER: flag.default(true),
  OVEN_WORKER_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  OVEN_WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(10_000).default(50),
  OVEN_DATABASE_WAIT_SECONDS: z.coerce.number().min(0).max(86_400).default(300),
  OVEN_DRAIN_SECONDS: z.coerce.number().min(0).max(3_600).optional(),
  DATABASE_URL: url(/^postgres(ql)?$/).optional(),
  DATABASE_URL_DIRECT: url(/^postgres(ql)?$/).optional(),
  OVEN_OIDC_ISSUER: url(/^https?$/).optional(),
  OVEN_OIDC_CLIENT_ID: z.string().min(1).optional(),
  OVEN_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OVEN_SMTP_URL: url(/^smtps?$/).optional(),
  OVEN_MAIL_FROM: z
    .string()
    .regex(/^([^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, "an address such as OVEN <oven@example.com>")
    .optional(),
  OVEN_MCP_SERVERS_FILE: z.string().min(1).optional(),
  OVEN_LOG_FORMAT: z.enum(["text", "json"]).default("text"),
  NODE_ENV: z.string().optional(),
});

/** The names of the settings that every installation has; modules declare others. */
export function settingNames(): string[] {
  return Object.keys(EnvironmentSchema.shape);
}

type Variables = z.infer<typeof EnvironmentSchema>;

/**
 * The environment of a process that serves the API.
 * @throws OvenError INVALID_ENVIRONMENT, one line naming the variable; DATA_DIR_UNUSABLE
 */
export function readEnvironment(variables: Record<string, string | undefined>, dev: boolean): ServerEnvironment {
  const data = parse(variables);
  if (!data.OVEN_WORKER && data.DATABASE_URL === undefined) {
    throw invalid(
      "OVEN_WORKER: 0 leaves the work to other processes, and the embedded database takes one process only",
      "Set DATABASE_URL, or leave OVEN_WORKER at 1.",
    );
  }
  return {
    ...common(data, dev, SERVER_DRAIN_SECONDS),
    processVariables: variables,
    secret: data.OVEN_SECRET ?? keepSecret(dataDirOf(data)),
    port: data.PORT,
    host: data.OVEN_HOST,
    databaseUrl: data.DATABASE_URL,
  };
}

/**
 * The environment of a process that only works on runs. It never makes a secret of its own: it must have the server's.
 * @throws OvenError INVALID_ENVIRONMENT, one line naming the variable; DATA_DIR_UNUSABLE
 */
export function readWorkerEnvironment(variables: Record<string, string | undefined>): WorkerEnvironment {
  const data = parse(variables);
  if (data.DATABASE_URL === undefined) {
    throw invalid(
      "DATABASE_URL: a worker needs PostgreSQL, for the embedded database takes one process only",
      "Set DATABASE_URL to the server's.",
    );
  }
  return {
    ...common(data, data.NODE_ENV === "development", WORKER_DRAIN_SECONDS),
    processVariables: variables,
    worker: { ...workerSettings(data, WORKER_DRAIN_SECONDS), enabled: true },
    secret: data.OVEN_SECRET ?? readSecret(dataDirOf(data), "a worker"),
    databaseUrl: data.DATABASE_URL,
    host: data.OVEN_HOST,
    healthPort: data.OVEN_WORKER_PORT,
    databaseWaitMs: data.OVEN_DATABASE_WAIT_SECONDS * 1_000,
  };
}

/**
 * What it takes to speak for an installation from its machine, beside a running server. It never makes a secret of its own.
 * @throws OvenError INVALID_ENVIRONMENT, one line naming the variable; DATA_DIR_UNUSABLE
 */
export function readInstallationSecret(
  variables: Record<string, string | undefined>,
): Pick<ServerEnvironment, "publicUrl" | "secret" | "host" | "port"> {
  const data = parse(variables);
  return {
    publicUrl: publicUrlOf(data),
    secret: data.OVEN_SECRET ?? readSecret(dataDirOf(data), "this command"),
    host: data.OVEN_HOST,
    port: data.PORT,
  };
}

/**
 * The installation's secret, where it is at hand.
 * @throws OvenError INVALID_ENVIRONMENT, one line naming the variable; DATA_DIR_UNUSABLE
 */
export function findSecret(variables: Record<string, string | undefined>): string | undefined {
  const data = parse(variables);
  return data.OVEN_SECRET ?? (hasSecret(dataDirOf(data)) ? readSecret(dataDirOf(data), "this command") : undefined);
}

/**
 * What it takes to read an installation's database from its machine. It makes nothing: no secret, no data directory.
 * @throws OvenError INVALID_ENVIRONMENT, one line naming the variable
 */
export function readDatabaseSettings(
  variables: Record<string, string | undefined>,
): Pick<
  InstallationEnvironment,
  "databaseUrl" | "databaseUrlDirect" | "dataDir" | "demo" | "publicUrl" | "trustedProxies"
> & { previousSecrets: readonly string[] } {
  const data = parse(variables);
  return {
    publicUrl: publicUrlOf(data),
    trustedProxies: data.OVEN_TRUSTED_PROXIES,
    previousSecrets: data.OVEN_SECRET_PREVIOUS,
    databaseUrl: data.DATABASE_URL,
    databaseUrlDirect: data.DATABASE_URL_DIRECT,
    dataDir: dataDirOf(data),
    demo: data.OVEN_DEMO,
  };
}

function parse(variables: Record<string, string | undefined>): Variables {
  const parsed = EnvironmentSchema.safeParse(variables);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(`${issue?.path.join(".")}: ${issue?.message}`, "Correct the variable or unset it; README lists them.");
}

function invalid(message: string, fix: string): OvenError {
  return new OvenError("INVALID_ENVIRONMENT", message, { fix });
}

function dataDirOf(data: Variables): string {
  return data.OVEN_DATA_DIR === undefined ? defaultDataDir() : resolve(settingsFolder(), data.OVEN_DATA_DIR);
}

function publicUrlOf(data: Variables): string {
  return (data.OVEN_PUBLIC_URL ?? `http://localhost:${data.PORT}`).replace(/\/+$/, "");
}

function workerSettings(data: Variables, drainSeconds: number): WorkerSettings {
  return {
    enabled: data.OVEN_WORKER,
    concurrency: data.OVEN_WORKER_CONCURRENCY,
    drainMs: (data.OVEN_DRAIN_SECONDS ?? drainSeconds) * 1_000,
  };
}

/** All three or none. */
function oidcOf({
  OVEN_OIDC_ISSUER: issuer,
  OVEN_OIDC_CLIENT_ID: clientId,
  OVEN_OIDC_CLIENT_SECRET: clientSecret,
}: Variables): { oidc?: OidcSettings } {
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined)
    return { oidc: { issuer, clientId, clientSecret } };
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return {};
  throw invalid(
    "OVEN_OIDC_ISSUER: sign-in at a provider needs OVEN_OIDC_ISSUER, OVEN_OIDC_CLIENT_ID and OVEN_OIDC_CLIENT_SECRET",
    "Set all three, or none of them.",
  );
}

/** Both or none. */
function mailOf({ OVEN_SMTP_URL: url, OVEN_MAIL_FROM: from }: Variables): { mail?: MailSettings } {
  if (url !== undefined && from !== undefined) return { mail: { url, from } };
  if (url === undefined && from === undefined) return {};
  throw invalid("OVEN_SMTP_URL: e-mail needs OVEN_SMTP_URL and OVEN_MAIL_FROM", "Set both, or none of them.");
}

function common(
  data: Variables,
  dev: boolean,
  drainSeconds: number,
): Omit<InstallationEnvironment, "secret" | "databaseUrl" | "processVariables"> {
  const { commit } = readRelease();
  return {
    publicUrl: publicUrlOf(data),
    dataDir: dataDirOf(data),
    previousSecrets: data.OVEN_SECRET_PREVIOUS,
    demo: data.OVEN_DEMO,
    databaseUrlDirect: data.DATABASE_URL_DIRECT,
    bootstrapApiKey: data.OVEN_BOOTSTRAP_API_KEY,
    outboundAllow: data.OVEN_OUTBOUND_ALLOW,
    trustedProxies: data.OVEN_TRUSTED_PROXIES,
    worker: workerSettings(data, drainSeconds),
    logFormat: data.OVEN_LOG_FORMAT,
    production: !dev,
    ...oidcOf(data),
    ...mailOf(data),
    ...(data.OVEN_MCP_SERVERS_FILE === undefined
      ? {}
      : { mcpServersFile: resolve(settingsFolder(), data.OVEN_MCP_SERVERS_FILE) }),
    ...(commit === undefined ? {} : { commit }),
  };
}

/** Some libraries fail at import over a variable that is set but empty; to be called before they are loaded. */
export function dropEmptyVariables(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) if (value === "") delete variables[name];
}

/** What nobody may read on the console, by the variable that it comes from. */
export function secretsOf(
  environment: InstallationEnvironment,
  modules: readonly Pick<ModuleDefinition, "variables">[],
): Record<string, string | undefined> {
  const ofModules = modules.flatMap(({ variables }) => variables).filter(({ isSecret }) => isSecret);
  return {
    OVEN_SECRET: environment.secret,
    OVEN_BOOTSTRAP_API_KEY: environment.bootstrapApiKey,
    ...Object.fromEntries(ofModules.map(({ name }) => [name, environment.processVariables[name]])),
    OVEN_OIDC_CLIENT_SECRET: environment.oidc?.clientSecret,
    DATABASE_URL: environment.databaseUrl,
    DATABASE_URL_DIRECT: environment.databaseUrlDirect,
    OVEN_SMTP_URL: environment.mail?.url,
    "DATABASE_URL password": passwordOf(environment.databaseUrl),
    "DATABASE_URL_DIRECT password": passwordOf(environment.databaseUrlDirect),
    "OVEN_SMTP_URL password": passwordOf(environment.mail?.url),
    ...Object.fromEntries(
      (environment.previousSecrets ?? []).map((secret, at) => [`OVEN_SECRET_PREVIOUS_${at}`, secret]),
    ),
  };
}

function passwordOf(url: string | undefined): string | undefined {
  const password = url === undefined ? "" : (URL.parse(url)?.password ?? "");
  return password === "" ? undefined : decodeURIComponent(password);
}
