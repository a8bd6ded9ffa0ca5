import { randomUUID } from "node:crypto";
import type { JsonObject } from "@oven/contract";
import type { Credentials } from "@oven/testing";
import { expect } from "vitest";
import { connectAs, toRefusal } from "./in-process-mcp.ts";
import { type Cast, END, OPENS, type Refusal, type Way } from "./way.ts";

interface SavedTrigger {
  id: number;
  token: string | null;
}

interface TriggerKind {
  type: string;
  config?(cast: Cast): JsonObject;
  /** What happens once before a right is taken away. */
  ready?(cast: Cast, trigger: SavedTrigger): Promise<unknown>;
  /** Makes happen what it waits for. */
  fire(cast: Cast, trigger: SavedTrigger): Promise<unknown>;
}

/** What the log says of the first delivery. */
async function decisionOn({ stage, admin }: Cast, triggerId: number): Promise<Refusal> {
  const log = `trigger-deliveries?filter=${encodeURIComponent(JSON.stringify({ triggerId }))}`;
  const decided = async () => (await stage.ok("GET", log, undefined, admin))[0]?.decision;
  await expect.poll(decided, { interval: 10 }).toMatch(/^(started|refused|skipped)$/);
  const [{ decision, reason }] = await stage.ok("GET", log, undefined, admin);
  await stage.ok("PUT", `triggers/${triggerId}`, { enabled: false }, admin);
  return decision === "started" ? undefined : `${decision} ${reason}`;
}

/** A trigger that `by` saves. */
const trigger = ({ type, config, ready, fire }: TriggerKind): Way => ({
  name: type,
  prepare: async (cast) => {
    const { stage, author, by } = cast;
    const { id: workflowId } = await stage.publish(OPENS, author);
    const target = { kind: "agent-workflow", workflowId };
    const body = { type, name: stage.fresh(type), target, config: config?.(cast) ?? {} };
    const saved: SavedTrigger = await stage.ok("POST", "triggers", body, by);
    await ready?.(cast, saved);
    return async () => {
      await fire(cast, saved);
      return decisionOn(cast, saved.id);
    };
  },
});

const OUTSIDE: Credentials = { key: null };

/** @returns an event of that name happened */
async function ring({ stage, admin }: Cast, event: string): Promise<void> {
  const entry = [{ type: "emit", params: { event, payload: {} } }];
  const source = await stage.publish({ initial: "done", entry, states: { done: END } }, admin);
  await stage.ok("POST", `agent-workflows/${source.id}/execute?wait=20`, { input: {} }, admin);
}

const BELL = "bells.rang";
const GONG = "gongs.rang";

/** A workflow of one step that an event starts: `author` wires it, `by` saves the wiring anew. */
const wiring: Way = {
  name: "event wiring",
  prepare: async (cast) => {
    const { stage, author, by } = cast;
    const body = { name: stage.fresh("Wiring"), event: GONG, action: "vault.open", enabled: false };
    const { id, triggerId } = await stage.ok("POST", "event-wirings", body, author);
    await stage.ok("PUT", `event-wirings/${id}`, { enabled: true }, by);
    return async () => {
      await ring(cast, GONG);
      return decisionOn(cast, triggerId);
    };
  },
};

/** A tool over MCP that an admin's client calls; the run is that of the person who saved it. */
const mcp: Way = {
  name: "MCP trigger",
  prepare: async ({ stage, author, by, admin }) => {
    const { id: workflowId } = await stage.publish(OPENS, author);
    const target = { kind: "agent-workflow", workflowId };
    const { id } = await stage.ok("POST", "triggers", { type: "mcp", name: stage.fresh("Tool"), target }, by);
    const client = await connectAs(stage, `triggers/${id}`, admin);
    const [tool] = (await client.listTools()).tools;
    return () => toRefusal(client.callTool({ name: tool?.name ?? "", arguments: {} }));
  },
};

export const WAYS_OF_TRIGGERS: readonly Way[] = [
  trigger({
    type: "webhook",
    fire: ({ stage }, { token }) => stage.oven.call("POST", `hooks/${token}`, {}, OUTSIDE),
  }),
  trigger({
    type: "form",
    fire: ({ stage }, { token }) =>
      stage.oven.call("POST", `forms/${token}`, { submission: randomUUID(), values: {} }, OUTSIDE),
  }),
  trigger({
    type: "schedule",
    config: () => ({ cron: "0 9 * * *" }),
    fire: ({ stage }, { id }) => stage.pass(id),
  }),
  trigger({
    type: "manual",
    fire: ({ stage, admin }, { id }) => stage.oven.call("POST", `triggers/${id}/fire`, {}, admin),
  }),
  trigger({
    type: "event",
    config: () => ({ events: [BELL] }),
    fire: (cast) => ring(cast, BELL),
  }),
  trigger({
    type: "email",
    config: ({ stage }) => stage.mailbox.settings,
    // The first look finds where the mailbox ends; what comes later is new.
    ready: ({ stage }, { id }) => stage.pass(id),
    fire: async ({ stage }, { id }) => {
      stage.mailbox.deliver();
      await stage.pass(id);
    },
  }),
  wiring,
  mcp,
];
