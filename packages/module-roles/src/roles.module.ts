import type { Principal } from "@oven/contract";
import { defineModule, type ModuleDefinition, type ProtectedServers } from "@oven/module-registry";
import { z } from "zod";
import type { AccessDeps } from "./access/access-deps.ts";
import { createAuth, type OidcSettings } from "./access/auth.ts";
import { createAuthenticate } from "./access/authenticate.ts";
import { findPrincipal } from "./access/find-principal.ts";
import { hashStoredSessions } from "./access/hashed-sessions.ts";
import { sessionRoutes } from "./access/session.routes.ts";
import { signInRoutes } from "./access/sign-in.routes.ts";
import { accountRoutes } from "./account/account.routes.ts";
import { auditRoutes } from "./audit/audit.routes.ts";
import { AuditLog } from "./audit/audit-log.ts";
import { invitationRoutes } from "./invitations/invitation.routes.ts";
import { apiKeyRoutes } from "./keys/api-keys.routes.ts";
import { KeyAddresses } from "./keys/key-addresses.ts";
import { KeyLookup } from "./keys/key-lookup.ts";
import { Attempts } from "./limits/attempts.ts";
import { KnownDevices } from "./limits/known-devices.ts";
import { createRequestLimits, limitKeys } from "./limits/request-limits.ts";
import { SharedAttempts } from "./limits/shared-attempts.ts";
import { menuItems, resources } from "./menu.ts";
import { challengeFor } from "./oauth/challenge.ts";
import { documentVariables } from "./oauth/client-document.ts";
import { connectedAppRoutes } from "./oauth/connected-apps.routes.ts";
import { metadataRoutes } from "./oauth/metadata.routes.ts";
import { OAuthTokens } from "./oauth/oauth-tokens.ts";
import { ProtectedAddresses } from "./oauth/protected-servers.ts";
import { permissions } from "./permissions.ts";
import { personData } from "./person-data.ts";
import { personRoutes } from "./persons/person.routes.ts";
import { seedBuiltInRoles } from "./roles/built-in-roles.ts";
import { roleRoutes } from "./roles/role.routes.ts";
import * as schema from "./schema.ts";
import { resealSecondFactors } from "./second-factor/own-factors.ts";
import { passkeyRoutes } from "./second-factor/passkey.routes.ts";
import { secondFactorRoutes } from "./second-factor/second-factor.routes.ts";
import { bootstrapAdmin, newSetupToken } from "./setup/first-admin.ts";
import { setupRoutes } from "./setup/setup.routes.ts";
import { tenantRoutes } from "./tenants/tenant.routes.ts";
import { seedFirstTenant } from "./tenants/tenant-service.ts";
import { userRoutes } from "./users/user.routes.ts";
import { SECOND_FACTOR_RESET } from "./users/user-service.ts";

declare module "@oven/module-registry" {
  interface ServiceMap {
    access: AccessService;
  }
}

export interface AccessService {
  /** The one-time link that makes the first admin; undefined once there is one. Each call replaces the link before. */
  newSetupLink(): Promise<string | undefined>;
  /** A user of a tenant and the names of their roles there; undefined when they do not belong to it, or are disabled. */
  findPerson(userId: number, tenantId: number): Promise<{ email: string; roles: string[] } | undefined>;
  /** A user with the rights they have now, for work that is done in their name later; undefined when they may not sign in. */
  findPrincipal(userId: number, tenantId: number): Promise<Principal | undefined>;
  /** An API key with the scopes and its owner's rights as they are now; undefined when it is no longer valid. */
  findKey(keyId: number, tenantId: number): Promise<Principal | undefined>;
  /** A person with what a program of theirs (its OAuth `client_id`) may do in their name now; undefined once that has ended. */
  findApp(userId: number, clientId: string, tenantId: number): Promise<Principal | undefined>;
  /** The roles that people of a tenant can have, and what they hold. */
  listRoles(tenantId: number): Promise<{ title: string; permissions: string[] }[]>;
  /** OAuth tokens are taken at these addresses from now on. */
  protect(servers: ProtectedServers): void;
}

export interface RolesOptions {
  /** Sign-in at an OpenID Connect provider, beside e-mail and password. Absent: off. */
  oidc?: OidcSettings;
}

/** Users, sessions, invitations, API keys, roles, limits, the audit log and the first set-up. */
export function createRolesModule({ oidc }: RolesOptions = {}): ModuleDefinition {
  let state: AccessDeps | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-roles was not started by a runtime");
    return state;
  };
  return defineModule({
    name: "module-roles",
    namespace: "roles",
    description: "Users, sessions, API keys, roles, permissions, limits and the audit log.",
    dependencies: ["module-registry"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions,
    configSchema: limitKeys,
    variables: documentVariables,
    personData,
    resources,
    menuItems,
    events: {
      emits: {
        [SECOND_FACTOR_RESET]: z
          .looseObject({ userId: z.int() })
          .describe("When an administrator has taken the second factor of a person away"),
      },
      listeners: {},
    },
    routes: [
      ...signInRoutes(ready),
      ...sessionRoutes(ready),
      ...metadataRoutes(ready),
      ...connectedAppRoutes(ready),
      ...setupRoutes(ready),
      ...accountRoutes(ready),
      ...secondFactorRoutes(ready),
      ...passkeyRoutes(ready),
      ...userRoutes(ready),
      ...personRoutes(ready),
      ...tenantRoutes(ready),
      ...invitationRoutes(ready),
      ...roleRoutes(ready),
      ...apiKeyRoutes(ready),
      ...auditRoutes(ready),
    ],
    services: async (modules) => {
      const { db, environment, registry, services } = modules;
      const audit = new AuditLog(db.system, environment.secret);
      // One process has the embedded database; those that share PostgreSQL count together.
      const attempts = db.dialect === "pglite" ? new Attempts() : new SharedAttempts(db.system, environment.secret);
      // Before anybody is known there is no tenant to keep to.
      const declared = registry.permissions().map(({ id }) => id);
      const auth = createAuth(db.system, environment, { oidc, permissions: declared });
      const tokens = new OAuthTokens(db.system);
      const addresses = new ProtectedAddresses(environment.publicUrl);
      const keys = new KeyLookup(db.system, new KeyAddresses(db.system, audit));
      const devices = new KnownDevices(environment);
      const { outbound } = services;
      state = {
        ...{ db, auth, keys, audit, attempts, devices, registry, environment, outbound, addresses, modules },
        oidc: oidc !== undefined,
      };
      const authenticate = createAuthenticate(db.system, { auth, keys, tokens, addresses });
      const findPerson = (userId: number, tenantId: number) => findPrincipal(db.system, userId, tenantId);
      const challenges = {
        addresses,
        identify: async (request: Request) => (await authenticate(request))?.principal,
        isOffline: (token: string) => tokens.isOffline(token),
        findPrincipal: findPerson,
      };
      return {
        authenticate,
        challenge: (request, error) => challengeFor(challenges, request, error),
        auditTrail: audit,
        requestLimits: createRequestLimits(services, attempts),
        access: {
          findPerson: async (userId, tenantId) => {
            const [person] = await db.system.query<{ email: string; roles: string[] }>(
              `select email, array(select role::text from user_roles where user_id = u.id and tenant_id = u.tenant_id
                 order by role) as roles
               from users u where id = $1 and tenant_id = $2 and disabled_at is null`,
              [userId, tenantId],
            );
            return person;
          },
          findPrincipal: findPerson,
          findKey: (keyId, tenantId) => keys.findById(keyId, tenantId),
          findApp: (userId, clientId, tenantId) => tokens.findApp(userId, clientId, tenantId),
          listRoles: (tenantId) =>
            db.system.query<{ title: string; permissions: string[] }>(
              "select title, permissions from roles where tenant_id in (0, $1) order by tenant_id, id",
              [tenantId],
            ),
          protect: (servers) => addresses.add(servers),
          newSetupLink: async () => {
            const token = await newSetupToken(db, { oidc: oidc !== undefined });
            return token === undefined ? undefined : `${environment.publicUrl}/setup?token=${token}`;
          },
        },
      };
    },
    seed: async ({ db, environment, registry }) => {
      await seedBuiltInRoles(db, registry.permissions());
      await seedFirstTenant(db);
      await hashStoredSessions(db);
      const { bootstrapApiKey } = environment;
      if (bootstrapApiKey === undefined || (await bootstrapAdmin(db, bootstrapApiKey))) return;
      if ((await ready().keys.find(bootstrapApiKey)) === undefined) {
        console.warn(
          "OVEN_BOOTSTRAP_API_KEY is ignored: this installation has users already. Make a key in the dashboard.",
        );
      }
    },
    start: async ({ db, environment }) => {
      ready().keys.start();
      if ((environment.previousSecrets ?? []).length > 0) await resealSecondFactors(db.system, ready().auth);
    },
    stop: async () => {
      const { keys, audit } = ready();
      await keys.stop();
      await audit.stop();
    },
  });
}
