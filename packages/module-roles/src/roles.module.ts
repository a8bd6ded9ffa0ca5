import { defineModule, type ModuleDefinition } from "@oven/module-registry";
import { type Auth, createAuth } from "./access/auth.ts";
import { createAuthenticate } from "./access/authenticate.ts";
import { sessionRoutes } from "./access/session.routes.ts";
import { apiKeyRoutes } from "./keys/api-keys.routes.ts";
import { KeyLookup } from "./keys/key-lookup.ts";
import * as schema from "./schema.ts";
import { bootstrapAdmin, newSetupToken } from "./setup/first-admin.ts";
import { setupRoutes } from "./setup/setup.routes.ts";

declare module "@oven/module-registry" {
  interface ServiceMap {
    access: AccessService;
  }
}

export interface AccessService {
  /** The one-time link that makes the first admin; undefined once there is one. Each call replaces the link before. */
  newSetupLink(): Promise<string | undefined>;
}

/** Users, sessions, API keys and the first set-up. */
export function createRolesModule(): ModuleDefinition {
  let state: { db: Parameters<typeof createAuth>[0]; auth: Auth; keys: KeyLookup } | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-roles was not started by a runtime");
    return state;
  };
  return defineModule({
    name: "module-roles",
    namespace: "roles",
    description: "Users, sessions, API keys and permissions.",
    dependencies: ["module-registry"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: [
      { id: "api-keys.read", title: "See API keys" },
      { id: "api-keys.create", title: "Make API keys" },
      { id: "api-keys.delete", title: "Revoke API keys" },
    ],
    resources: [{ name: "api-keys", title: "API keys" }],
    menuItems: [{ section: "Access", title: "API keys", to: "/api-keys" }],
    routes: [...sessionRoutes(ready), ...setupRoutes(ready), ...apiKeyRoutes(ready)],
    services: async ({ db, environment }) => {
      const auth = createAuth(db, environment);
      const keys = new KeyLookup(db);
      state = { db, auth, keys };
      return {
        authenticate: createAuthenticate(db, auth, keys),
        access: {
          newSetupLink: async () => {
            const token = await newSetupToken(db);
            return token === undefined ? undefined : `${environment.publicUrl}/setup?token=${token}`;
          },
        },
      };
    },
    seed: async ({ db, environment }) => {
      const { bootstrapApiKey } = environment;
      if (bootstrapApiKey === undefined || (await bootstrapAdmin(db, bootstrapApiKey))) return;
      if ((await ready().keys.find(bootstrapApiKey)) === undefined) {
        console.warn(
          "OVEN_BOOTSTRAP_API_KEY is ignored: this installation has users already. Make a key in the dashboard.",
        );
      }
    },
    start: async () => ready().keys.start(),
    stop: () => ready().keys.stop(),
  });
}
