import { createOvenClient, type OvenClient } from "@oven/client";
import type { Json } from "@oven/contract";
import type { GraphSession, SessionGraphSpec, SessionStep } from "@oven/contract/formats/sessions.ts";
import { defineModule, defineNode, done, type ModuleDefinition, type ServiceMap } from "@oven/module-registry";
import { vi } from "vitest";
import { z } from "zod";
import { type FormatsOptions, type FormatsOven, startFormats } from "../../../shared/testing/start-formats.ts";

/** A call of one of the functions below. */
export interface Call {
  function: string;
  step: string;
  input: Record<string, unknown>;
}

/** A server with session graphs, and functions of its own. */
export interface SessionStory {
  oven: FormatsOven;
  client: OvenClient["sessions"];
  key: string;
  clientFor(key: string): OvenClient["sessions"];
  services: ServiceMap;
  /** What was called, in order. */
  calls: Call[];
  /** Lets calls of `test.hold` come back once that many are held; those that come later are held again. */
  letGo(count?: number): Promise<void>;
  /** Steps that `test.flaky` fails in. */
  failing: Set<string>;
  /** Until nothing in it moves by itself. */
  settle(id: string): Promise<GraphSession>;
  /** Until it is as said. */
  until(id: string, is: (session: GraphSession) => boolean): Promise<GraphSession>;
  /** A graph of that, started and waited for. */
  run(graph: SessionGraphSpec): Promise<GraphSession>;
}

/** A step that answers what it is given. */
export const says = (input: Record<string, Json> = {}): SessionStep => ({ function: "test.say", input });
export const ref = (rest: string): string => `@{SESSION_ID}.${rest}`;
export const graphOf = (
  steps: Record<string, SessionStep>,
  next: SessionGraphSpec["next"] = [],
  more: Partial<SessionGraphSpec> = {},
): SessionGraphSpec => ({ ...more, steps, next });

function functions(calls: Call[], held: () => Promise<void>, failing: ReadonlySet<string>): ModuleDefinition {
  const counts = new Map<string, number>();
  const define = (id: string, title: string, answer: (call: Call, run: string) => Promise<unknown>) =>
    defineNode({
      id,
      version: 1,
      title,
      docs: title,
      category: "core",
      kind: "data",
      effect: "pure",
      retry: { maxAttempts: 1 },
      input: z.looseObject({}),
      output: z.unknown() as z.ZodType<Record<string, Json>>, // cast: whatever they are given
      run: async ({ input, node }) => {
        const call = { function: id, step: node.nodeId, input };
        calls.push(call);
        return done((await answer(call, String(node.executionId))) as Record<string, Json>); // cast: tests answer JSON
      },
    });
  return defineModule({
    name: "module-test-functions",
    namespace: "test",
    description: "Functions of the tests.",
    dependencies: ["module-workflows"],
    nodes: [
      define("test.say", "Answers its input, or `value` of it", async ({ input }) =>
        Object.hasOwn(input, "value") ? input.value : input,
      ),
      define("test.count", "Counts its runs in a session", async ({ step }, run) => {
        const key = `${run} ${step}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return { n: counts.get(key) };
      }),
      define("test.hold", "Comes back once it is let go", async ({ input }) => {
        await held();
        return input;
      }),
      define("test.flaky", "Fails while it is told to", async ({ step, input }) => {
        if (failing.has(step)) throw new Error("the disk is full");
        return input;
      }),
    ],
  });
}

export async function startSessions(options: FormatsOptions = {}): Promise<SessionStory> {
  const calls: Call[] = [];
  const failing = new Set<string>();
  const waiting: (() => void)[] = [];
  let services: ServiceMap | undefined;
  const probe = defineModule({
    name: "module-probe",
    namespace: "probe",
    description: "Sees the services.",
    dependencies: ["module-workflow-formats"],
    services: async (deps) => {
      ({ services } = deps);
      return {};
    },
  });
  const held = () => new Promise<void>((resolve) => void waiting.push(resolve));
  const oven = await startFormats(() => ({ text: "{}" }), {
    ...options,
    modules: [functions(calls, held, failing), probe, ...(options.modules ?? [])],
  });
  if (services === undefined) throw new Error("the runtime did not start its modules");
  const clientFor = (key: string) =>
    createOvenClient({ url: "http://localhost:3000", key, fetch: (request) => oven.handle(request) }).sessions;
  const key = await oven.keyFor("admin");
  const client = clientFor(key);
  const until = async (id: string, is: (session: GraphSession) => boolean) => {
    let session: GraphSession | null = null;
    await vi.waitUntil(
      async () => {
        session = await client.getSession(id);
        return session !== null && is(session);
      },
      { interval: 25, timeout: 120_000 },
    );
    if (session === null) throw new Error("a session is gone");
    return session as GraphSession; // cast: it was just looked at
  };
  const settle = (id: string) => until(id, ({ status }) => status !== "pending" && status !== "running");
  return {
    ...{ oven, client, key, clientFor, services, calls, failing, settle, until },
    letGo: async (count = 1) => {
      await vi.waitUntil(() => waiting.length >= count, { interval: 5, timeout: 120_000 });
      for (const resolve of waiting.splice(0)) resolve();
    },
    run: async (graph) => {
      const { graph_id } = await client.create(graph);
      return settle((await client.start(graph_id)).id);
    },
  };
}
