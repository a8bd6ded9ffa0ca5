import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentOven, startAgentOven } from "./testing/agent-oven.ts";

/** A model that takes facts out as it is told to, and answers everything else with what it was shown. */
describe("an agent with memory", () => {
  let oven: AgentOven;
  let facts: object[] = [];
  beforeAll(async () => {
    oven = await startAgentOven(({ body }) => {
      const asked = JSON.stringify(body.messages);
      if (body.response_format !== undefined) return { text: JSON.stringify({ facts }) };
      return { text: asked.includes("allergic to peanuts") ? "No peanuts, then." : "What do you like?" };
    });
  });
  afterAll(() => oven.stop());

  async function newAgent(memoryConfig: object | null) {
    const body = {
      name: "Cook",
      slug: `cook-${Math.random().toString(36).slice(2)}`,
      model: "openai:house",
      memoryConfig,
    };
    const made = await oven.call("POST", "agents", body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body;
  }
  const say = async (slug: string, message: string, key?: string) =>
    (await oven.call("POST", `agents/${slug}/invoke`, { message }, key === undefined ? {} : { key })).body;
  const memories = async (agentId: number) =>
    (await oven.call("GET", `agent-memory?filter=${encodeURIComponent(JSON.stringify({ agentId }))}`)).body;

  it("recalls before it answers and remembers after, across conversations", async () => {
    const { id, slug } = await newAgent({ enabled: true, scope: "agent" });
    facts = [{ key: "allergy", content: "The customer is allergic to peanuts." }];
    const first = await say(slug, "I am allergic to peanuts.");
    expect(first, JSON.stringify(first)).toMatchObject({ status: "completed" });
    expect(await memories(id)).toMatchObject([{ key: "allergy", content: "The customer is allergic to peanuts." }]);
    facts = [];
    const second = await say(slug, "What shall I cook with nuts?");
    expect(second).toMatchObject({ text: "No peanuts, then." });
    expect(second.sessionId).not.toBe(first.sessionId);
    const run = (await oven.call("GET", `agent-workflow-executions/${second.run.id}`)).body;
    expect(run.nodes.map(({ nodeType }: { nodeType: string }) => nodeType)).toEqual(
      expect.arrayContaining(["agent.memory.read", "agent.toolLoop", "agent.memory.write"]),
    );
  });

  it("keeps users apart where its settings say so, and agents always", async () => {
    const { id, slug } = await newAgent({ enabled: true, scope: "agent+user" });
    facts = [{ key: "allergy", content: "The customer is allergic to peanuts." }];
    await say(slug, "I am allergic to peanuts.");
    facts = [];
    expect(await memories(id)).toHaveLength(1);
    const somebody = await oven.keyFor("editor");
    expect((await say(slug, "What shall I cook with nuts?", somebody)).text).toBe("What do you like?");
    expect((await say(slug, "What shall I cook with nuts?")).text).toBe("No peanuts, then.");
    const other = await newAgent({ enabled: true, scope: "agent" });
    expect((await say(other.slug, "What shall I cook with nuts?")).text).toBe("What do you like?");
  });

  it("has none without settings, or when it is switched off", async () => {
    for (const memoryConfig of [null, { enabled: false }]) {
      const { slug } = await newAgent(memoryConfig);
      const { run } = await say(slug, "Hello");
      const { nodes } = (await oven.call("GET", `agent-workflow-executions/${run.id}`)).body;
      expect(JSON.stringify(nodes)).not.toContain("agent.memory");
    }
  });

  it("takes its memories with it when it is deleted", async () => {
    const { id, slug } = await newAgent({ enabled: true });
    facts = [{ key: "name", content: "The customer is called Ada." }];
    await say(slug, "I am Ada.");
    expect(await memories(id)).toHaveLength(1);
    expect((await oven.call("DELETE", `agents/${slug}`)).status).toBe(204);
    await expect.poll(() => memories(id)).toEqual([]);
  });
});
