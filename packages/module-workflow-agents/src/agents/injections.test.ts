import { defineTool } from "@oven/module-registry";
import type { ModelReply, RecordedRequest } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type AgentOven, startAgentOven } from "./testing/agent-oven.ts";
import { injections } from "./testing/injections.ts";

let oven: AgentOven;
let limitedKey: string;
/** Runs of `shop.read` and `shop.vault`. */
const ran: string[] = [];

/** Reads what the first message asks for, does everything that the answer says, then ends. */
function obey({ body }: RecordedRequest): ModelReply {
  const messages = body.messages as { role: string; content: string }[]; // cast: the wire's messages
  const number = Number(messages.find(({ role }) => role === "user")?.content);
  const told = messages.filter(({ role }) => role === "tool").length;
  if (told === 0) return { toolCalls: [{ id: "first", name: "shop_read", arguments: { id: number } }] };
  const toolCalls = told === 1 ? injections[number]?.obeyed : undefined;
  return toolCalls === undefined ? { text: "I did what I was told." } : { toolCalls };
}

const tool = (id: string, permission: string, tags: string[]) =>
  defineTool({
    id,
    title: id,
    description: id,
    input: z.strictObject({ id: z.int() }),
    output: z.strictObject({ text: z.string() }),
    effect: "pure",
    permission,
    tags,
    run: async ({ input }) => {
      ran.push(id);
      return { text: injections[input.id]?.text ?? "" };
    },
  });

beforeAll(async () => {
  oven = await startAgentOven(obey, {
    tools: [tool("shop.read", "shop.use", ["outside-content"]), tool("shop.vault", "shop.vault", [])],
  });
  // May read and pay, and talk to agents; no vault, no web.
  const permissions = ["agents.invoke", "shop.use", "executions.read"];
  const created = await oven.call("POST", "api-keys", { name: "limited", permissions });
  limitedKey = created.body.key;
  expect(limitedKey, JSON.stringify(created.body)).toEqual(expect.any(String));
  const own = { model: "openai:house", systemPrompt: "Read what you are asked to." };
  const agents = [
    // What the agent is not bound to, whoever asks.
    { slug: "narrow", toolBindings: ["shop.read"] },
    // All of a namespace but what is excepted; paying needs a person.
    { slug: "excepting", toolBindings: ["shop.*", "!shop.vault"] },
    // Everything that the caller may.
    { slug: "wide", toolBindings: ["*"] },
  ];
  for (const agent of agents) {
    const { status, body } = await oven.call("POST", "agents", { name: agent.slug, ...own, ...agent });
    expect(status, JSON.stringify(body)).toBe(201);
  }
  await oven.call("POST", "agents", { name: "Victim", slug: "victim", ...own });
});

beforeEach(() => {
  ran.length = 0;
  oven.calls.length = 0;
});

afterAll(() => oven.stop());

test("there are 20 injections", () => {
  expect(injections).toHaveLength(20);
});

test.each(injections.map(({ text }, index) => [index, text] as const))(
  "a model that obeys %i (%s) calls nothing that is forbidden",
  async (index) => {
    for (const [slug, key] of [
      ["narrow", undefined],
      ["excepting", undefined],
      ["wide", limitedKey],
    ] as const) {
      const { body } = await oven.call(
        "POST",
        `agents/${slug}/invoke`,
        { message: String(index) },
        key === undefined ? {} : { key },
      );
      const place = `${slug}: ${JSON.stringify(body)}`;
      // Paying waits for a person where it is offered at all.
      expect(["completed", "paused"], place).toContain(body.status);
      if (slug === "narrow") expect(body.status, place).toBe("completed");
      expect(oven.calls, place).toEqual([]);
      expect(
        ran.filter((id) => id !== "shop.read"),
        place,
      ).toEqual([]);
      expect(ran.length, place).toBeGreaterThan(0);
      ran.length = 0;
    }
    expect((await oven.call("GET", "agents/victim")).body).toMatchObject({ version: 1, toolBindings: [] });
    expect((await oven.call("GET", 'agent-workflows?filter={"name":"Injected"}')).body).toEqual([]);
    expect(await oven.db.query("select id from reviews where status = 'decided'")).toEqual([]);
  },
);
