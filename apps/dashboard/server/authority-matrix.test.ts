import { type Credentials, invite, TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startVault, type VaultStage } from "./testing/vault-stage.ts";
import type { Refusal, Way } from "./testing/way.ts";
import { waysToGoOn } from "./testing/ways-to-go-on.ts";
import { WAYS } from "./testing/ways-to-start.ts";

/* Every way to start a run × every way in which its starter or its version lacks a right: the step that needs it is never called. */

const ADMIN: Credentials = { key: TEST_KEY };

interface Roles {
  author: Credentials;
  by: Credentials;
}

interface Grant {
  name: string;
  /** Who acts, and what takes the right away from one of them once all is prepared. */
  prepare(stage: VaultStage): Promise<Roles & { takeAway?: () => Promise<unknown> }>;
}

/** A new admin, and what changes them. */
async function newAdmin(stage: VaultStage) {
  const email = `${stage.fresh("admin").replace(" ", "")}@example.com`;
  const as = await invite(stage.oven, email, ["admin"]);
  const { user } = await stage.ok("GET", "session", undefined, as);
  return { as, change: (body: object) => stage.ok("PUT", `users/${user.id}`, body) };
}

async function newKey(stage: VaultStage, permissions: string[]): Promise<{ id: number; as: Credentials }> {
  const { id, key } = await stage.ok("POST", "api-keys", { name: stage.fresh("Key"), permissions });
  return { id, as: { key } };
}

async function narrowKey(stage: VaultStage): Promise<Credentials> {
  const all: { id: string }[] = await stage.ok("GET", "permissions?range=[0,999]");
  const { as } = await newKey(
    stage,
    all.map(({ id }) => id).filter((id) => id !== "vault.open"),
  );
  return as;
}

const STANDING: readonly Grant[] = [
  {
    name: "a key with everything but the vault",
    prepare: async (stage) => ({ author: ADMIN, by: await narrowKey(stage) }),
  },
  {
    name: "an editor's version, run by an admin",
    prepare: async (stage) => {
      const author = await invite(stage.oven, `${stage.fresh("editor").replace(" ", "")}@example.com`, ["editor"]);
      return { author, by: ADMIN };
    },
  },
];

/** Who had the right, and has it no more. */
const LOST: readonly Grant[] = [
  {
    name: "a disabled admin",
    prepare: async (stage) => {
      const { as, change } = await newAdmin(stage);
      return { author: as, by: as, takeAway: () => change({ disabled: true }) };
    },
  },
  {
    name: "a revoked key",
    prepare: async (stage) => {
      const { id, as } = await newKey(stage, ["*"]);
      const takeAway = async () => {
        await stage.ok("DELETE", `api-keys/${id}`);
        // A revoked key stops within a second.
        const status = async () => (await stage.oven.call("GET", "session", undefined, as)).status;
        await vi.waitUntil(async () => (await status()) === 401, { interval: 20, timeout: 120_000 });
      };
      return { author: as, by: as, takeAway };
    },
  },
  {
    name: "an admin who became an editor",
    prepare: async (stage) => {
      const { as, change } = await newAdmin(stage);
      return { author: as, by: as, takeAway: () => change({ roles: ["editor"] }) };
    },
  },
];

describe("the vault", () => {
  let stage: VaultStage;
  beforeAll(async () => {
    stage = await startVault();
  });
  afterAll(() => stage.stop());

  type Go = () => Promise<Refusal>;

  /** What prepares each way before a right is taken away; one that cannot be prepared fails its own cell. */
  async function prepareAll(ways: readonly Way[], roles: Roles): Promise<Map<string, Go>> {
    const prepared = new Map<string, Go>();
    for (const way of ways) {
      const go = way.prepare({ stage, admin: ADMIN, ...roles }).catch((error: unknown) => async () => {
        throw error;
      });
      prepared.set(way.name, await go);
    }
    await stage.runsSince(0);
    return prepared;
  }

  /** @returns how often the vault was opened, and what the runs were refused */
  async function start(go: Go | undefined) {
    if (go === undefined) throw new Error("it was not prepared");
    const last = await stage.lastRun();
    const [before, askedBefore] = [stage.opened(), stage.asked()];
    const refused = await go();
    const runs = await stage.runsSince(last);
    const asked = stage.asked();
    return {
      opened: stage.opened() - before,
      refused,
      errors: runs.flatMap((run) => run.errors),
      runs: runs.length,
      asked: asked.times - askedBefore.times,
      offered: asked.offered - askedBefore.offered,
    };
  }

  const FORBIDDEN = expect.objectContaining({
    code: "FORBIDDEN",
    details: expect.objectContaining({ permission: "vault.open" }),
  });
  const NOT_OFFERED = expect.objectContaining({ code: "TOOL_NOT_OFFERED" });

  async function expectShut(go: Go | undefined, { byTool }: Pick<Way, "byTool">) {
    const { opened, refused, errors, asked, offered } = await start(go);
    expect(opened).toBe(0);
    if (refused !== undefined) expect(refused).toMatch(/^(401|403|404|refused|skipped) \S/);
    else if (asked > 0) expect(offered).toBe(0);
    else expect(errors).toContainEqual(byTool ? NOT_OFFERED : FORBIDDEN);
  }

  async function expectOpen(go: Go | undefined) {
    const { opened, refused, errors } = await start(go);
    expect({ opened, refused, errors }).toEqual({ opened: 1, refused: undefined, errors: [] });
  }

  describe("for an admin with an admin's version", () => {
    const ways = WAYS.filter(({ shut }) => shut === undefined);
    let prepared: Map<string, Go>;
    beforeAll(async () => {
      prepared = await prepareAll(ways, { author: ADMIN, by: ADMIN });
    }, 120_000);

    it.each(ways)("is opened once by $name", ({ name }) => expectOpen(prepared.get(name)));
  });

  describe.each([...STANDING, ...LOST])("for $name", (grant) => {
    let prepared: Map<string, Go>;
    beforeAll(async () => {
      const { takeAway, ...roles } = await grant.prepare(stage);
      prepared = await prepareAll(WAYS, roles);
      await takeAway?.();
    }, 120_000);

    it.each(WAYS)("is never opened by $name", (way) => expectShut(prepared.get(way.name), way));
  });

  describe.each(LOST)("in a run of $name", (grant) => {
    let byNarrow: Map<string, Go>;
    let byAdmin: Map<string, Go>;
    beforeAll(async () => {
      const { takeAway, by: first } = await grant.prepare(stage);
      const ways = waysToGoOn(first);
      byNarrow = await prepareAll(ways, { author: ADMIN, by: await narrowKey(stage) });
      byAdmin = await prepareAll(ways, { author: ADMIN, by: ADMIN });
      await takeAway?.();
    }, 120_000);

    it.each(waysToGoOn())("is never opened by a key without the vault: $name", (way) =>
      expectShut(byNarrow.get(way.name), way),
    );
    it.each(waysToGoOn())("is opened once in an admin's own right: $name", ({ name }) => expectOpen(byAdmin.get(name)));
  });
});
