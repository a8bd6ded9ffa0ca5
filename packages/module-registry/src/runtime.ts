import { type Database, type MigrationSet, migrate } from "@oven/db";
import { createConfigService } from "./config/config-service.ts";
import type { ModuleDefinition, ModuleDeps, RuntimeEnvironment } from "./define/define-module.ts";
import type { ServiceMap } from "./define/services.ts";
import { Outbox } from "./events/outbox.ts";
import { createSafeFetch } from "./outbound/safe-fetch.ts";
import { Registry } from "./registry.ts";
import { createRouter } from "./router/router.ts";
import { createSecretService } from "./secrets/secret-service.ts";

export interface Runtime {
  fetch(request: Request): Promise<Response>;
  readonly services: ServiceMap;
  readonly registry: Registry;
  /** Stops background work, newest module first. The database stays open: it is the caller's. */
  stop(): Promise<void>;
}

export interface RuntimeOptions {
  db: Database;
  modules: readonly ModuleDefinition[];
  environment: RuntimeEnvironment;
  verifyResponses?: boolean;
}

const OWN_MIGRATIONS = { name: "module-registry", folder: new URL("../migrations", import.meta.url) };

/** The migrations of these modules and of the registry itself, in the order in which they are applied. */
export function migrationSetsOf(modules: readonly Pick<ModuleDefinition, "name" | "migrations">[]): MigrationSet[] {
  return [
    OWN_MIGRATIONS,
    ...modules.flatMap(({ name, migrations }) => (migrations === undefined ? [] : [{ name, folder: migrations }])),
  ];
}

/** Registers, migrates, wires, seeds and starts the modules in the given order. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { db, modules, environment } = options;
  const registry = new Registry();
  for (const module of modules) registry.register(module);
  await migrate(db, migrationSetsOf(modules));
  await db.enableRowLevelSecurity();
  const services = {} as ServiceMap; // cast: filled below, module by module, before anything is called
  const outbox = new Outbox(db.system, modules, services);
  services.events = outbox;
  services.config = createConfigService(db.system, registry);
  services.secrets = createSecretService(db.system, environment);
  services.outbound = createSafeFetch({
    allow: environment.outboundAllow,
    useSecret: (tenantId, reference, host) => services.secrets.use(tenantId, reference, host),
  });
  const deps: ModuleDeps = { db, services, registry, environment };
  for (const module of modules) Object.assign(services, await module.services?.(deps));
  for (const module of modules) await module.seed?.(deps);
  const started: ModuleDefinition[] = [];
  const stop = async () => {
    for (const module of started.toReversed()) await module.stop?.(deps);
    await outbox.stop();
  };
  try {
    outbox.start();
    for (const module of modules) {
      started.push(module);
      await module.start?.(deps);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const verifyResponses = options.verifyResponses ?? !environment.production;
  const fetch = createRouter({ registry, services, publicUrl: environment.publicUrl, verifyResponses });
  return { fetch, services, registry, stop };
}
