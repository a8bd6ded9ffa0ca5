import type { JsonObject } from "@oven/contract";
import { type Credentials, invite, TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startVault, type VaultStage } from "./testing/vault-stage.ts";

/* A run that waits while its starter loses the right to the vault: what comes behind the wait is refused, unless another person retries it. */

const ADMIN: Credentials = { key: TEST_KEY };
const END = { type: "final" };
const OPEN = { src: "vault.open", input: {} };

interface Wait {
  name: string;
  invoke: object;
  /** Ends the wait of the run at `path`. */
  end(stage: VaultStage, path: string): Promise<unknown>;
}

const WAITS: readonly Wait[] = [
  {
    name: "a review",
    invoke: { src: "agent.humanReview", input: { show: { amount: 5 } } },
    end: (stage, path) => stage.ok("POST", `${path}/resume`, { action: "approve" }, ADMIN),
  },
  {
    name: "an event",
    invoke: { src: "core.waitForEvent", input: { event: "vault.knock" } },
    end: (stage, path) => stage.ok("POST", `${path}/events`, { event: "vault.knock", payload: {} }, ADMIN),
  },
];

interface Loss {
  name: string;
  side: string;
  prepare(stage: VaultStage): Promise<{ by: Credentials; takeAway: () => Promise<unknown> }>;
}

async function newAdmin(stage: VaultStage) {
  const email = `${stage.fresh("waiting").replace(" ", "")}@example.com`;
  const by = await invite(stage.oven, email, ["admin"]);
  const { user } = await stage.ok("GET", "session", undefined, by);
  return { by, change: (body: object) => stage.ok("PUT", `users/${user.id}`, body) };
}

const LOSSES: readonly Loss[] = [
  {
    name: "was disabled",
    side: "the person who started the run (disabled now)",
    prepare: async (stage) => {
      const { by, change } = await newAdmin(stage);
      return { by, takeAway: () => change({ disabled: true }) };
    },
  },
  {
    name: "was a key that was revoked",
    side: "the API key that started the run (no longer valid now)",
    prepare: async (stage) => {
      const { id, key } = await stage.ok("POST", "api-keys", { name: stage.fresh("Key"), permissions: ["*"] });
      return { by: { key }, takeAway: () => stage.ok("DELETE", `api-keys/${id}`) };
    },
  },
  {
    name: "became an editor",
    side: "the person who started the run",
    prepare: async (stage) => {
      const { by, change } = await newAdmin(stage);
      return { by, takeAway: () => change({ roles: ["editor"] }) };
    },
  },
];

describe("the vault behind a wait", () => {
  let stage: VaultStage;
  beforeAll(async () => {
    stage = await startVault();
  });
  afterAll(() => stage.oven.stop());

  /** Starts it, and comes back when it waits. @returns the path of the run */
  async function startWaiting({ invoke }: Wait, then: object, by: Credentials): Promise<string> {
    const definition: JsonObject = {
      initial: "wait",
      states: {
        wait: { invoke: { ...invoke, onDone: "open" } },
        open: { invoke: { ...then, onDone: "done" } },
        done: END,
      },
    };
    const { id } = await stage.publish(definition, ADMIN);
    const run = await stage.ok("POST", `agent-workflows/${id}/execute`, { input: {} }, by);
    const path = `agent-workflow-executions/${run.id}`;
    await expect.poll(async () => (await stage.ok("GET", path)).status, { interval: 10 }).toBe("paused");
    return path;
  }

  async function settled(path: string) {
    await expect
      .poll(async () => (await stage.ok("GET", path)).status, { interval: 10 })
      .toMatch(/^(completed|failed)$/);
    return stage.ok("GET", path);
  }

  describe.each(WAITS)("for $name", (wait) => {
    it("is opened for a starter who may still open it", async () => {
      const { by } = await newAdmin(stage);
      const path = await startWaiting(wait, OPEN, by);
      const before = stage.opened();
      await wait.end(stage, path);
      expect((await settled(path)).status).toBe("completed");
      expect(stage.opened()).toBe(before + 1);
    });

    it.each(LOSSES)("is not opened when the starter $name, and is for another person who retries", async (loss) => {
      const { by, takeAway } = await loss.prepare(stage);
      const path = await startWaiting(wait, OPEN, by);
      const before = stage.opened();
      await takeAway();
      await wait.end(stage, path);
      const failed = await settled(path);
      expect(failed).toMatchObject({
        status: "failed",
        error: `Step open (vault.open) needs the permission vault.open, which ${loss.side} lacks. Retry the run as a person who has it.`,
        errorInfo: {
          code: "FORBIDDEN",
          details: { permission: "vault.open", side: loss.side },
        },
      });
      expect(stage.opened()).toBe(before);
      const again = await stage.ok("POST", `${path}/retry`, {}, ADMIN);
      expect((await settled(`agent-workflow-executions/${again.id}`)).status).toBe("completed");
      expect(stage.opened()).toBe(before + 1);
    });

    it("is not opened in a workflow that is called only then", async () => {
      const { by, change } = await newAdmin(stage);
      const child = await stage.publish(
        { initial: "open", states: { open: { invoke: { ...OPEN, onDone: "done" } }, done: END } },
        ADMIN,
      );
      const call = { src: "core.callWorkflow", input: { kind: "agent-workflow", workflow: child.id, input: {} } };
      const path = await startWaiting(wait, call, by);
      const before = stage.opened();
      await change({ disabled: true });
      await wait.end(stage, path);
      expect(await settled(path)).toMatchObject({ status: "failed", errorInfo: { code: "FORBIDDEN" } });
      expect(stage.opened()).toBe(before);
    });
  });
});
