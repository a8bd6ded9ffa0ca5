import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DOORS, type Door, type Waiting } from "./testing/review-doors.ts";
import { type Clients, type ReviewStage, startReviewStage } from "./testing/review-stage.ts";
import { insertKey } from "./testing/strangers.ts";

/*
 * Every door to a review and its run × everyone who lacks the right to it: nothing is shown, nothing is decided. Presses in messengers
 * and replies to mail carry no key: who may decide by them is shown beside them, in module-notifications.
 */

const A2A = DOORS.find(({ name }) => name === "A2A");
const BY_KEY = DOORS.filter(({ name }) => !["Slack", "Teams", "mail"].includes(name));
const ANSWERING = BY_KEY.filter(({ answer }) => answer !== undefined);
const SHOWING = BY_KEY.filter(({ shows }) => shows !== undefined);
const STARTING = BY_KEY.filter(({ name, start }) => start !== undefined && name !== "form" && name !== "webhook");

type Person = (stage: ReviewStage) => Promise<string>;

const strangers: Record<string, Person> = {
  "another tenant's admin": async ({ endpoint }) =>
    (await insertKey(endpoint.oven.db, { tenantId: 2, permissions: { "*": ["*"] } })).key,
  "a revoked key": async ({ endpoint }) => {
    const { body } = await endpoint.oven.call("POST", "api-keys", { name: "Revoked", permissions: ["*"] });
    await endpoint.oven.call("DELETE", `api-keys/${body.id}`);
    const isRevoked = async () =>
      (await endpoint.oven.call("GET", "session", undefined, { key: body.key })).status === 401;
    await vi.waitUntil(isRevoked, { interval: 20, timeout: 60_000 });
    return body.key;
  },
  "a key of a disabled person": async ({ endpoint }) => {
    const { key, userId } = await insertKey(endpoint.oven.db, { tenantId: 1, permissions: { "*": ["*"] } });
    await endpoint.oven.db.query("update users set disabled_at = now() where id = $1", [userId]);
    return key;
  },
  "a key narrowed to agents": ({ endpoint }) => endpoint.keyWith(["agents.read"]),
};

/** May start and see all, and decides nothing, though its person may. */
const STARTER = ["agent-workflows.execute", "agent-workflows.read", "executions.read", "chats.use", "reviews.read"];

describe("a review and its run", () => {
  let stage: ReviewStage;
  let waiting: Waiting;
  beforeAll(async () => {
    stage = await startReviewStage();
  }, 120_000);
  afterAll(() => stage?.stop());

  const as = (who: Clients): ReviewStage => ({ ...stage, starter: who, decider: who });
  const count = async () =>
    (await stage.endpoint.oven.db.query<{ count: string }>("select count(*) from agent_workflow_executions"))[0]?.count;
  const status = async () => (await stage.decider.rest("GET", `reviews/${waiting.review}`)).body.status;

  /** One that A2A has started: that every door can show, but a chat, which has its own below. */
  async function begin(): Promise<void> {
    const handles = await A2A?.start?.(stage);
    if (handles === undefined) throw new Error("no run was started");
    const chat = (await DOORS.find(({ name }) => name === "chat")?.start?.(stage))?.chat;
    const { body } = await stage.decider.rest("GET", `reviews?filter={"executionId":${handles.run}}`);
    const [{ id: review, digest }] = body;
    waiting = {
      ...handles,
      ...(chat === undefined ? {} : { chat }),
      review,
      digest,
      slack: undefined,
      teams: undefined,
      mail: undefined,
    };
  }

  /** What a door does for one who may not: an error of its client, or what its view cannot find. */
  async function outcomeOf(act: () => Promise<string | undefined> | undefined): Promise<string> {
    try {
      return (await act()) ?? "taken";
    } catch (error) {
      return `refused: ${String(error)}`;
    }
  }

  describe.each(Object.entries(strangers))("for %s", (_who, keyOf) => {
    let stranger: ReviewStage;
    beforeAll(async () => {
      await begin();
      stranger = as(stage.clientsOf(await keyOf(stage)));
    }, 60_000);

    it.each(SHOWING)("is not shown by $name", async (door: Door) => {
      const shown = await outcomeOf(() => door.shows?.(stranger, waiting));
      // The list of what is open for a person has nothing of others in it.
      expect(door.name === "inbox" && shown === "decided" ? "refused: not listed" : shown).toMatch(/^refused: /);
    });
    it.each(ANSWERING)("is not decided by $name", async (door: Door) => {
      const answered = await outcomeOf(() => door.answer?.(stranger, waiting, { action: "approve" }));
      expect(answered).toMatch(/40[134]|FORBIDDEN|NOT_FOUND|UNAUTHENTICATED|refused|not found/i);
      expect(await status()).toBe("open");
    });
    it.each(STARTING)("is not started by $name", async (door: Door) => {
      const before = await count();
      const started = await outcomeOf(async () => JSON.stringify(await door.start?.(stranger)));
      expect(started).toMatch(/^refused: /);
      expect(await count()).toBe(before);
    });
  });

  describe("for a key that starts and sees, and may not decide", () => {
    let narrow: ReviewStage;
    beforeAll(async () => {
      await begin();
      narrow = as(stage.clientsOf(await stage.endpoint.keyWith(STARTER)));
    }, 60_000);

    it.each(ANSWERING)("is not decided by $name", async (door: Door) => {
      const answered = await outcomeOf(() => door.answer?.(narrow, waiting, { action: "approve" }));
      expect(answered).not.toBe("taken");
      expect(await status()).toBe("open");
    });
  });

  describe("of the very client that started it", () => {
    beforeAll(begin, 60_000);

    it.each(ANSWERING.filter(({ name }) => /MCP|A2A/.test(name)))("is not decided by $name", async (door: Door) => {
      const own = as(stage.starter);
      const answered = await outcomeOf(() => door.answer?.(own, waiting, { action: "approve" }));
      expect(answered).toMatch(/REVIEW_NOT_YOURS|asks this caller nothing/);
      expect(await status()).toBe("open");
    });
  });
});
