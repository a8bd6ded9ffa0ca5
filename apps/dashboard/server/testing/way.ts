import type { JsonObject } from "@oven/contract";
import type { Credentials, TestAnswer } from "@oven/testing";
import { expect } from "vitest";
import type { VaultStage } from "./vault-stage.ts";

/** Who does what: one of them lacks the right to the vault when the run starts. */
export interface Cast {
  stage: VaultStage;
  admin: Credentials;
  /** Who publishes the version. */
  author: Credentials;
  /** Who starts it, or has saved the trigger that does. */
  by: Credentials;
}

/** Why nothing was started: a status, or what the trigger's log says. Undefined: a run was started. */
export type Refusal = string | undefined;

/** One way to start a run of a workflow that opens the vault. */
export interface Way {
  name: string;
  /** A tool opens it: without the permission it is not offered, and a run in which a model asks for it fails at nothing. */
  byTool?: true;
  /** Why the vault stays shut for an admin with an admin's version, too. */
  shut?: string;
  /** All that comes before a right is taken away. @returns what starts the run, and comes back when it is accepted or refused */
  prepare(cast: Cast): Promise<() => Promise<Refusal>>;
}

const OPEN = { src: "vault.open", input: {}, onDone: "done" };
export const END = { type: "final" };
export const OPENS: JsonObject = { initial: "open", states: { open: { invoke: OPEN }, done: END } };
export const OPENS_EACH: JsonObject = {
  initial: "each",
  states: {
    each: {
      loop: {
        type: "forEach",
        collection: [1],
        concurrency: 2,
        bodyInitial: "open",
        bodyStates: { open: { invoke: { ...OPEN, onDone: "next" } }, next: END },
        onDone: "done",
      },
    },
    done: END,
  },
};

/** A workflow of one step. */
export const invoking = (src: string, input: JsonObject): JsonObject => ({
  initial: "call",
  states: { call: { invoke: { src, input, onDone: "done" } }, done: END },
});

/** @throws when it went wrong otherwise than for want of a right */
export function refusalOf({ status, body }: TestAnswer): Refusal {
  if (status < 300) return undefined;
  expect([401, 403, 404], JSON.stringify(body)).toContain(status);
  return `${status} ${body.error.message}`;
}

/** Runs `definition`, which `author` publishes. */
export const direct = (name: string, definition: JsonObject): Way => ({
  name,
  prepare: async ({ stage, author, by }) => {
    const { id } = await stage.publish(definition, author);
    return async () => refusalOf(await stage.oven.call("POST", `agent-workflows/${id}/execute`, { input: {} }, by));
  },
});
