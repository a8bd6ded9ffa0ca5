import type { Trigger, TriggerDelivery } from "@oven/contract/trigger";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createWorkflowsModule } from "@oven/module-workflows";
import { startTestOven, type TestOven } from "@oven/testing";
import { createTriggersModule } from "../../triggers.module.ts";

/** A server with triggers on a clock that the test moves; several may share a database. */
export interface TestTriggers {
  oven: TestOven;
  db: Database;
  /** A workflow that ends at once, or waits for an event called `go`. */
  workflow(name: string, waits?: boolean): Promise<number>;
  make(body: object): Promise<Trigger>;
  deliveries(triggerId: number): Promise<TriggerDelivery[]>;
  /** Everything that is due at the clock's time. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestClock {
  now: Date;
}

export async function startTriggers(
  clock: TestClock | undefined,
  shared?: Database,
  environment: { outboundAllow?: readonly string[]; secret?: string; previousSecrets?: string[] } = {},
): Promise<TestTriggers> {
  const db = shared ?? (await createTestPglite());
  let tick: () => Promise<void> = async () => undefined;
  const triggers = createTriggersModule(clock === undefined ? {} : { clock: async () => new Date(clock.now) });
  const build = triggers.services;
  const modules = [
    createSystemModule(),
    createRolesModule(),
    createWorkflowsModule(),
    {
      ...triggers,
      services: async (deps: Parameters<NonNullable<typeof build>>[0]) => {
        const services = (await build?.(deps)) ?? {};
        tick = async () => services.triggers?.tick();
        return services;
      },
      // With a clock of the test nothing happens between two of its ticks.
      ...(clock === undefined ? {} : { start: async () => undefined }),
    },
  ];
  const oven = await startTestOven({ createRuntime, modules, db, environment });
  return {
    oven,
    db,
    workflow: async (name, waits = false) => {
      const definition = waits
        ? { initial: "wait", states: { wait: { on: { go: "done" } }, done: { type: "final" } } }
        : { initial: "done", states: { done: { type: "final", output: "$.trigger" } } };
      return (await oven.call("POST", "workflows", { name, definition })).body.id;
    },
    make: async (body) => {
      const { status, body: made } = await oven.call("POST", "triggers", body);
      if (status !== 201) throw new Error(JSON.stringify(made));
      return made;
    },
    deliveries: async (triggerId) => {
      const filter = encodeURIComponent(JSON.stringify({ triggerId }));
      const sort = encodeURIComponent('["id","ASC"]');
      return (await oven.call("GET", `trigger-deliveries?filter=${filter}&sort=${sort}&range=[0,999]`)).body;
    },
    tick: () => tick(),
    stop: async () => {
      await oven.stop();
      if (shared === undefined) await db.close();
    },
  };
}
