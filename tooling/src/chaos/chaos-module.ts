import { z } from "zod";
import type { Effect } from "../../../packages/contract/src/doors/node.ts";
import type { Json } from "../../../packages/contract/src/index.ts";
import {
  defineModule,
  defineNode,
  defineTool,
  done,
  type ModuleDefinition,
  type NodeContext,
  RUNNING_ROLES,
} from "../../../packages/module-registry/src/index.ts";

const EFFECTS: readonly Effect[] = ["pure", "idempotent", "at-least-once", "at-most-once"];
const Answer = z.strictObject({ value: z.string() });

/** Nodes whose calls the effect ledger at `ledgerUrl` sees, and nodes that misbehave. */
export function createChaosModule(ledgerUrl: string): ModuleDefinition {
  return defineModule({
    name: "module-chaos",
    namespace: "chaos",
    description: "Nodes whose effects are counted outside, and nodes that misbehave.",
    dependencies: ["module-workflows"],
    permissions: [{ id: "chaos.use", title: "Call the ledger", roles: RUNNING_ROLES }],
    tools: chaosTools(ledgerUrl),
    nodes: [...EFFECTS.map((effect) => callNode(ledgerUrl, effect)), itemsNode(ledgerUrl), ...poison],
  });
}

/** Tools whose calls the ledger sees, one of each effect, and one that a person must approve. */
function chaosTools(ledgerUrl: string) {
  const tool = (name: string, effect: Effect, needsApproval = false) =>
    defineTool({
      id: `chaos.${name}`,
      title: name,
      description: `Calls the ledger, ${effect}.`,
      input: z.strictObject({ n: z.int() }),
      output: Answer,
      effect,
      needsApproval,
      permission: "chaos.use",
      run: async ({ idempotencyKey, run, signal }) => {
        if (run === undefined) throw new Error("it is called in runs only");
        return { value: await send(ledgerUrl, effect, { idempotencyKey, place: { ...run }, signal }) };
      },
    });
  return [
    tool("look", "pure"),
    tool("keep", "idempotent"),
    tool("send", "at-least-once"),
    tool("pay", "at-most-once"),
    tool("approved", "at-least-once", true),
  ];
}

function callNode(ledgerUrl: string, effect: Effect) {
  return defineNode({
    id: `chaos.${effect}`,
    version: 1,
    title: `Call, ${effect}`,
    docs: "Calls the ledger.",
    category: "core",
    kind: "tool",
    effect,
    input: z.strictObject({ after: z.string().default("") }),
    output: Answer,
    run: async (context) => done({ value: await call(ledgerUrl, effect, context) }),
  });
}

function itemsNode(ledgerUrl: string) {
  return defineNode({
    id: "chaos.items",
    version: 1,
    title: "Items",
    docs: "Calls the ledger once per item.",
    category: "core",
    kind: "tool",
    effect: "pure",
    input: z.strictObject({ count: z.int().default(3) }),
    output: z.strictObject({ values: z.array(z.string()) }),
    run: async ({ input }) => {
      const items = Array.from({ length: input.count }, (_, index) => ({
        key: `k${index}`,
        input: index,
        effect: EFFECTS[index % EFFECTS.length] ?? "pure",
      }));
      return { type: "wait", for: "items", request: { items, concurrency: 2 } };
    },
    runItem: async (context, item) => ({
      type: "done",
      output: await call(ledgerUrl, item.effect ?? "pure", context),
    }),
    resume: async (_context, signal) =>
      done({ values: signal.type === "items" ? signal.items.map(({ output }) => String(output)) : [] }),
  });
}

function call(ledgerUrl: string, effect: Effect, context: NodeContext<unknown>): Promise<string> {
  const { signal, node } = context;
  return send(ledgerUrl, effect, { idempotencyKey: context.idempotencyKey(), place: node, signal });
}

interface Call {
  idempotencyKey: string;
  place: object;
  signal: AbortSignal;
}

async function send(ledgerUrl: string, effect: Effect, { idempotencyKey, place, signal }: Call): Promise<string> {
  const response = await fetch(ledgerUrl, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify({ ...place, effect, pid: process.pid }),
    signal,
  });
  return ((await response.json()) as { value: string }).value; // cast: the ledger's answer
}

const misbehaves = (id: string, effect: Effect, act: (context: NodeContext<unknown>) => Promise<Json>) =>
  defineNode({
    id: `chaos.${id}`,
    version: 1,
    title: id,
    docs: "Misbehaves.",
    category: "core",
    kind: "tool",
    effect,
    timeoutMs: 2_000,
    retry: { maxAttempts: 2, backoff: "fixed", initialMs: 10 },
    input: z.strictObject({}),
    output: z.strictObject({ value: z.json() }),
    run: async (context) => done({ value: await act(context) }),
  });

/** Until the process has no memory left; its end takes the calls of all runs with it. */
async function exhaust(): Promise<Json> {
  const kept: unknown[] = [];
  for (;;) {
    kept.push(Array.from({ length: 1_000_000 }, (_, index) => ({ index, kept: kept.length })));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const poison = [
  misbehaves("throws", "pure", () => Promise.reject(new Error("thrown by the node"))),
  misbehaves("throwsNothing", "pure", () => Promise.reject(undefined)),
  misbehaves("hangs", "pure", () => new Promise(() => undefined)),
  misbehaves("huge", "pure", async () => "x".repeat(64 * 1_048_576)),
  misbehaves("larger", "pure", async () => Array.from({ length: 40 }, () => "x".repeat(64 * 1_048_576))),
  misbehaves("circular", "pure", async () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    return value as Json; // cast: what no type check would let through
  }),
  misbehaves("later", "pure", async () => {
    setImmediate(() => void Promise.reject(new Error("thrown after the node was done")));
    return 1;
  }),
  misbehaves("exhausts", "pure", exhaust),
  misbehaves("exits", "pure", () => process.exit(1)),
];
