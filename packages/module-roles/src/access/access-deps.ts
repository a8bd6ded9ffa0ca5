import type { Database } from "@oven/db";
import type { ModuleDeps, OutboundService, RegistryView, RuntimeEnvironment } from "@oven/module-registry";
import type { AuditLog } from "../audit/audit-log.ts";
import type { KeyLookup } from "../keys/key-lookup.ts";
import type { AttemptCounter } from "../limits/attempts.ts";
import type { KnownDevices } from "../limits/known-devices.ts";
import type { ProtectedAddresses } from "../oauth/protected-servers.ts";
import type { Auth } from "./auth.ts";

/** What the routes of this module work with. */
export interface AccessDeps {
  db: Database;
  auth: Auth;
  keys: KeyLookup;
  audit: AuditLog;
  attempts: AttemptCounter;
  devices: KnownDevices;
  addresses: ProtectedAddresses;
  registry: RegistryView;
  environment: RuntimeEnvironment;
  outbound: OutboundService;
  /** What holdings of modules are read and erased with. */
  modules: ModuleDeps;
  /** Whether sign-in at an OpenID Connect provider is on. */
  oidc: boolean;
}
