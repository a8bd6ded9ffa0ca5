import { acceptedContent, inputRequired } from "@modelcontextprotocol/server";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import type { OutsideServer } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { type ConnectedOven, startConnectedOven } from "../connections/testing/connected-oven.ts";
import { startMcpServer } from "../connections/testing/mcp-server.ts";

const requestedSchema = {
  type: "object" as const,
  properties: { size: { type: "string" as const, enum: ["S", "M"], default: "M" } },
  required: ["size"],
};

const databases = testDatabases(inject("postgresUrl"));
const places = (["both", "legacy"] as const).flatMap((eras) =>
  databases.map(({ name, open }) => ({ eras, name, open })),
);

describe.each(places)("a question of a server that speaks $eras, on $name", ({ eras, open: openDatabase }) => {
  let server: OutsideServer & { sessions: Map<string, unknown> };
  let database: TestDatabase;
  let oven: ConnectedOven;
  const bought: string[] = [];
  const open = () => startConnectedOven([], { allow: [server.origin], db: database.db });

  beforeAll(async () => {
    server = await startMcpServer(
      (mcp) => {
        mcp.registerTool(
          "buy",
          { description: "Buys a shirt", inputSchema: z.object({ colour: z.string() }) },
          async ({ colour }, context) => {
            const answers = context.mcpReq.inputResponses;
            const size = acceptedContent(answers, "size") as { size: string } | undefined;
            const sure = acceptedContent(answers, "sure");
            if (answers !== undefined && Object.keys(answers).length > 0 && size === undefined)
              return { content: [{ type: "text", text: "bought nothing" }] };
            if (size === undefined || sure === undefined)
              return inputRequired({
                inputRequests: {
                  ...(size === undefined
                    ? { size: inputRequired.elicit({ message: "Which size?", requestedSchema }) }
                    : {}),
                  sure: inputRequired.elicit({ message: "Sure?", requestedSchema: { type: "object", properties: {} } }),
                },
                requestState: "basket-7",
              });
            bought.push(`${colour} ${size.size}`);
            return { content: [{ type: "text", text: `bought ${colour} ${size.size}` }] };
          },
        );
        mcp.registerTool("pay", { inputSchema: z.object({}) }, async (_input, context) => {
          if (Object.keys(context.mcpReq.inputResponses ?? {}).length > 0)
            return { content: [{ type: "text", text: "paid" }] };
          return inputRequired({
            inputRequests: {
              page: inputRequired.elicitUrl({
                message: "Pay here",
                url: "https://pay.example.com/7?x=1",
              }),
            },
          });
        });
      },
      { eras },
    );
    database = await openDatabase();
    oven = await open();
    await oven.connect("shop", server);
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
    await server.close();
  });

  const asked = async (run: { id: number }) =>
    (await oven.call("GET", `reviews?filter={"executionId":${run.id},"status":"open"}`)).body;
  const decide = (id: number, decision: object) => oven.call("POST", `reviews/${id}/decide`, decision);
  const ended = async (id: number) => {
    const look = () => oven.call("GET", `agent-workflow-executions/${id}`).then(({ body }) => body);
    await expect.poll(async () => (await look()).status).toMatch(/completed|failed/);
    return look();
  };
  const nextQuestion = async (run: { id: number }, after: number) => {
    await expect.poll(async () => (await asked(run))[0]?.id ?? 0).toBeGreaterThan(after);
    return (await asked(run))[0];
  };

  it("pauses the run with its form in the inbox, and goes on after a restart with what a person sent", async () => {
    oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_buy", arguments: { colour: "red" } }] });
    const run = await oven.run(["mcp.shop.buy"]);
    expect(run.status).toBe("paused");
    const [question] = await asked(run);
    expect(question).toMatchObject({
      title: "shop asks: Which size?",
      schema: requestedSchema,
      proposal: { size: "M" },
      actions: ["submit", "decline"],
      context: { tool: "mcp.shop.buy", server: "shop", question: "Which size?", arguments: { colour: "red" } },
    });
    expect(bought).toEqual([]);
    await oven.stop();
    oven = await open();
    oven.model.enqueue({ text: "done" });
    expect((await decide(question.id, { action: "submit", data: { size: "XXL" } })).body.error.code).toBe(
      "INVALID_EDIT",
    );
    expect((await decide(question.id, { action: "submit", data: { size: "S" } })).status).toBe(200);
    // It asks more than one thing: each is a form of its own.
    const sure = await nextQuestion(run, question.id);
    expect(sure.title).toBe("shop asks: Sure?");
    expect((await decide(sure.id, { action: "submit", data: {} })).status).toBe(200);
    expect(await ended(run.id)).toMatchObject({ status: "completed", output: "done" });
    expect(bought).toEqual(["red S"]);
    const messages = oven.model.requests.at(-1)?.body.messages as { content: string }[];
    expect(messages.at(-1)?.content).toContain("bought red S");
    expect(await database.db.query("select * from mcp_open_questions")).toEqual([]);
    if (eras === "both")
      expect(server.requests.at(-1)?.params).toMatchObject({
        requestState: "basket-7",
        inputResponses: { size: { action: "accept" } },
      });
  });

  it("is told when the person declines", async () => {
    oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_buy", arguments: { colour: "blue" } }] }, { text: "then not" });
    const run = await oven.run(["mcp.shop.buy"]);
    const [question] = await asked(run);
    await decide(question.id, { action: "decline" });
    await decide((await nextQuestion(run, question.id)).id, { action: "decline" });
    expect(await ended(run.id)).toMatchObject({ status: "completed", output: "then not" });
    const messages = oven.model.requests.at(-1)?.body.messages as { content: string }[];
    expect(messages.at(-1)?.content).toMatch(/bought nothing|declined/);
    expect(bought).toEqual(["red S"]);
  });

  it("about a page is a link with its origin, which nobody opens by itself", async () => {
    oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_pay", arguments: {} }] }, { text: "paid" });
    const run = await oven.run(["mcp.shop.pay"]);
    expect(run.status, JSON.stringify(run)).toBe("paused");
    const [question] = await asked(run);
    expect(question).toMatchObject({
      title: "shop asks you to open a page at https://pay.example.com",
      context: { link: "https://pay.example.com/7?x=1", origin: "https://pay.example.com" },
    });
    await decide(question.id, { action: "submit", data: {} });
    expect(await ended(run.id)).toMatchObject({ status: "completed" });
    const messages = oven.model.requests.at(-1)?.body.messages as { content: string }[];
    expect(messages.at(-1)?.content).toContain("paid");
  });

  it("reaches a person from a step without a model too", async () => {
    const definition = {
      initial: "buy",
      states: {
        buy: {
          invoke: {
            src: "mcp.callTool",
            input: { tool: "mcp.shop.buy", arguments: { colour: "grey" } },
            onDone: "done",
          },
        },
        done: { type: "final", output: "$.buy_output.text" },
      },
    };
    const workflow = await oven.call("POST", "agent-workflows", { name: `Buy ${eras}`, definition });
    expect(workflow.status, JSON.stringify(workflow.body)).toBe(201);
    const run = (await oven.call("POST", `agent-workflows/${workflow.body.id}/execute?wait=30`, { input: {} })).body;
    expect(run.status, JSON.stringify(run.errorInfo)).toBe("paused");
    const [question] = await asked(run);
    await decide(question.id, { action: "submit", data: { size: "M" } });
    await decide((await nextQuestion(run, question.id)).id, { action: "submit", data: {} });
    expect(await ended(run.id)).toMatchObject({ status: "completed", output: "bought grey M" });
  });

  it.each(["agent.toolLoop", "mcp.callTool"])(
    "comes after the approval of the call, which stays the one that was approved: %s",
    async (src) => {
      const id = (await oven.call("GET", "mcp-connections")).body[0].id;
      const buy = (await oven.tools(id)).find(({ name }) => name === "buy");
      const approve = (needsApproval: boolean) =>
        oven.call("POST", `mcp-connections/${id}/tools/${buy.id}/approve`, { hash: buy.listedHash, needsApproval });
      expect((await approve(true)).status).toBe(200);
      const before = bought.length;
      const loop = { prompt: "go", tools: ["mcp.shop.buy"], model: "openai:house-model" };
      const call = { tool: "mcp.shop.buy", arguments: { colour: "pink" } };
      if (src === "agent.toolLoop")
        oven.model.enqueue({ toolCalls: [{ name: "mcp_shop_buy", arguments: { colour: "pink" } }] }, { text: "done" });
      const buying = { invoke: { src, input: src === "agent.toolLoop" ? loop : call, onDone: "done" } };
      const definition = { initial: "buy", states: { buy: buying, done: { type: "final" } } };
      const workflow = await oven.call("POST", "agent-workflows", { name: `Approved ${eras} ${src}`, definition });
      const run = (await oven.call("POST", `agent-workflows/${workflow.body.id}/execute?wait=30`, { input: {} })).body;
      const [review] = await asked(run);
      expect(review).toMatchObject({
        tool: "mcp.shop.buy",
        proposal: { colour: "pink" },
        actions: ["approve", "edit", "reject"],
      });
      await decide(review.id, { action: "edit", data: { colour: "plum" } });
      const size = await nextQuestion(run, review.id);
      expect(size).toMatchObject({ title: "shop asks: Which size?", context: { arguments: { colour: "plum" } } });
      expect(bought).toHaveLength(before);
      await decide(size.id, { action: "submit", data: { size: "S" } });
      await decide((await nextQuestion(run, size.id)).id, { action: "submit", data: {} });
      expect(await ended(run.id)).toMatchObject({ status: "completed" });
      expect(bought.slice(before)).toEqual(["plum S"]);
      await approve(false);
    },
  );
});
