import { type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConversationExpiry } from "./conversation-expiry.ts";
import { type EmbedOven, ORIGIN, startEmbedOven } from "./testing/embed-oven.ts";

const HOUR_MS = 3_600_000;

describe("what visitors said", () => {
  let server: ModelServer;
  let oven: EmbedOven;
  let agentId: number;

  beforeAll(async () => {
    server = await startModelServer(() => ({ text: "An answer." }), { models: ["house"] });
    oven = await startEmbedOven(server);
    agentId = (await oven.call("POST", "agents", { name: "Helper", model: "openai:house", systemPrompt: "Be short." }))
      .body.id;
  });
  afterAll(async () => {
    await oven.stop();
    await server.close();
  });

  /** A visitor with a conversation that was begun, and that was last seen, so many hours ago. */
  const talk = async (conversationHours: number, begunHoursAgo: number, seenHoursAgo = begunHoursAgo) => {
    const body = {
      name: "Shop",
      target: { kind: "agent", id: agentId },
      origins: [ORIGIN],
      limits: { conversationHours },
    };
    const { body: embed } = await oven.call("POST", "embeds", body);
    const { token, visitor } = await oven.session(embed.publicId);
    await oven.say(embed.publicId, token, "Hello");
    await oven.settled(embed.publicId, token, ({ status }) => status === "completed");
    await oven.db.query("update embed_visitors set seen_at = now() - make_interval(hours => $2) where id = $1::uuid", [
      visitor.id,
      seenHoursAgo,
    ]);
    const begun = "update embed_conversations set created_at = now() - make_interval(hours => $2) where embed_id = $1";
    await oven.db.query(begun, [embed.id, begunHoursAgo]);
    return Number(embed.id);
  };
  const leftOf = async (embedId: number) => {
    const [left] = await oven.db.query(
      `select (select count(*)::int from embed_conversations where embed_id = $1) as conversations,
        (select count(*)::int from embed_messages m join embed_conversations c on c.id = m.conversation_id
          where c.embed_id = $1) as messages,
        (select count(*)::int from embed_visitors where embed_id = $1) as visitors`,
      [embedId],
    );
    return left;
  };
  const ALL = { conversations: 1, messages: 1, visitors: 1 };

  it("goes by itself after the hours of its embed, without another message", async () => {
    const young = await talk(24, 23);
    const old = await talk(24, 25);
    await expect.poll(() => leftOf(old)).toEqual({ conversations: 0, messages: 0, visitors: 0 });
    expect(await leftOf(young)).toEqual(ALL);
  });

  it("goes before a visitor that was seen since", async () => {
    const id = await talk(2, 3, 1);
    await expect.poll(() => leftOf(id)).toEqual({ conversations: 0, messages: 0, visitors: 1 });
  });

  it("is due at the hour of the first that ends, and stays until then", async () => {
    const id = await talk(5, 0);
    const expiry = new ConversationExpiry(oven.db.system);
    const [begun] = await oven.db.query<{ at: Date }>(
      "select created_at as at from embed_conversations where embed_id = $1",
      [id],
    );
    const end = new Date(begun?.at ?? 0).getTime() + 5 * HOUR_MS;
    expect(await expiry.nextAt()).toBeLessThanOrEqual(end);
    await expiry.deleteDue(end - 1_000);
    expect(await leftOf(id)).toEqual(ALL);
    await expiry.deleteDue(end + 1_000);
    expect(await leftOf(id)).toMatchObject({ conversations: 0, messages: 0 });
  });
});
