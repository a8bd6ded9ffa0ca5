import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import {
  createRuntime,
  createSystemModule,
  invokeRoute,
  type RuntimeEnvironment,
  type ServiceMap,
} from "@oven/module-registry";
import { createAiModule } from "../../ai.module.ts";
import type { Timing } from "../../limits/timing.ts";

interface Given {
  params?: Record<string, string>;
  query?: unknown;
  body?: unknown;
}

export interface TestAi {
  db: Database;
  services: ServiceMap;
  invoke<T>(method: string, path: string, given?: Given, principal?: typeof SYSTEM_PRINCIPAL): Promise<T>;
  stop(): Promise<void>;
}

interface TestAiOptions {
  db?: Database;
  environment?: Partial<RuntimeEnvironment>;
  timing?: Timing;
}

/** The module alone in a runtime, on a fresh embedded database or the given one. */
export async function startAi({ db, environment, timing }: TestAiOptions = {}): Promise<TestAi> {
  const module = createAiModule(timing);
  const database = db ?? (await createTestPglite());
  const runtime = await createRuntime({
    db: database,
    modules: [createSystemModule(), module],
    environment: {
      publicUrl: "http://localhost:3000",
      dataDir: "unused",
      secret: "a-secret-of-the-tests-0123456789-abcdef",
      demo: false,
      bootstrapApiKey: undefined,
      outboundAllow: [],
      production: false,
      ...environment,
    },
  });
  return {
    db: database,
    services: runtime.services,
    async invoke<T>(method: string, path: string, given: Given = {}, principal = SYSTEM_PRINCIPAL) {
      const route = module.routes.find((candidate) => candidate.method === method && candidate.path === path);
      if (route === undefined) throw new Error(`No route ${method} ${path}`);
      const options = { principal, services: runtime.services, signal: AbortSignal.timeout(10_000) };
      return (await invokeRoute(route, given, options)) as T; // cast: the route's response schema
    },
    async stop() {
      await runtime.stop();
      if (db === undefined) await database.close();
    },
  };
}

interface TestTiming extends Timing {
  /** Waiting does not move the clock, so no call that waits for calls in flight gives up: only `advance` moves it. */
  standing: boolean;
  advance(milliseconds: number): void;
}

/** A clock that waiting moves on, so that no test waits. */
export function createTestTiming(start = Date.UTC(2026, 0, 31, 12)): TestTiming {
  let now = start;
  const timing: TestTiming = {
    standing: false,
    now: () => now,
    async pause(milliseconds, signal) {
      signal.throwIfAborted();
      if (!timing.standing) now += milliseconds;
      await new Promise(setImmediate);
    },
    advance(milliseconds) {
      now += milliseconds;
    },
  };
  return timing;
}
