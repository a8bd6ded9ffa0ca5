import { apiKey } from "@better-auth/api-key";
import type { Database } from "@oven/db";
import type { RuntimeEnvironment } from "@oven/module-registry";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { MAX_KEY_DAYS, newKey } from "../keys/key-format.ts";
import { accounts, apiKeys, sessions, users, verifications } from "../schema.ts";

/** better-auth over our tables: e-mail and password, sessions, API keys. Nobody can sign up by himself. */
export function createAuth(db: Database, environment: Pick<RuntimeEnvironment, "publicUrl" | "secret" | "production">) {
  const origin = new URL(environment.publicUrl);
  return betterAuth({
    appName: "OVEN",
    baseURL: environment.publicUrl,
    basePath: "/api/auth",
    secret: environment.secret,
    trustedOrigins: [origin.origin, ...loopbackTwin(origin)],
    database: drizzleAdapter(db.orm, {
      provider: "pg",
      schema: { user: users, session: sessions, account: accounts, verification: verifications, apikey: apiKeys },
    }),
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10 },
    session: { cookieCache: { enabled: false } },
    advanced: {
      cookiePrefix: "oven",
      useSecureCookies: origin.protocol === "https:",
      database: { generateId: "serial" },
    },
    telemetry: { enabled: false },
    logger: { level: "error" },
    plugins: [
      apiKey({
        defaultPrefix: "oven_",
        customKeyGenerator: () => newKey(),
        enableSessionForAPIKeys: false,
        // The library's default is ten requests a day.
        rateLimit: { enabled: false },
        // Days; its default is one year.
        keyExpiration: { maxExpiresIn: MAX_KEY_DAYS },
        startingCharactersConfig: { charactersLength: 10 },
      }),
    ],
  });
}
export type Auth = ReturnType<typeof createAuth>;

/** On one machine localhost and 127.0.0.1 are the same server. */
function loopbackTwin({ protocol, hostname, port }: URL): string[] {
  const twin = { localhost: "127.0.0.1", "127.0.0.1": "localhost" }[hostname];
  return twin === undefined ? [] : [`${protocol}//${twin}${port === "" ? "" : `:${port}`}`];
}
