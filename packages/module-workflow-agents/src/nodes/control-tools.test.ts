import type { JsonObject } from "@oven/contract";
import type { NodeDone } from "@oven/contract/node";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { llmNode } from "./llm.node.ts";
import { createNodeContext } from "./testing/node-context.ts";
import { type OpenServices, openServices } from "./testing/open-services.ts";

let open: OpenServices;
let replies: ModelReply[] = [];

beforeAll(async () => {
  open = await openServices(() => replies.shift() ?? { status: 500, message: "no reply left" });
});
beforeEach(() => {
  open.server.requests.length = 0;
});
afterAll(() => open.close());

const ROUTES = { routes: ["Router", "END"], controlTools: ["end"] };

async function answer(reply: ModelReply, input: JsonObject = ROUTES): Promise<{ result: NodeDone; body: JsonObject }> {
  replies = [reply];
  const context = createNodeContext(llmNode, {
    agentConfig: { model: "openai:test" },
    services: open.services,
    input: { prompt: "x", ...input },
  });
  const result = await llmNode.run(context);
  if (result.type !== "done") throw new Error("the model node waits");
  return { result, body: open.server.requests[0]?.body ?? {} };
}

const said = ({ patch = [] }: NodeDone) =>
  patch.filter(({ path }) => path === "/messages/-").map((op) => ("value" in op ? op.value : undefined));
const namesOf = (body: JsonObject) =>
  (body.tools as { function: { name: string } }[]).map((tool) => tool.function.name); // cast: the wire

describe("a model that decides how the workflow goes on", () => {
  it("is offered the routes as a choice, and told of them [003-071]", async () => {
    const { body, result } = await answer({
      toolCalls: [{ id: "c1", name: "set_next", arguments: { next: "Router" } }],
    });
    expect(body.tools).toEqual([
      {
        type: "function",
        function: expect.objectContaining({
          name: "set_next",
          parameters: expect.objectContaining({
            properties: { next: { type: "string", enum: ["Router", "END"] } },
            required: ["next"],
          }),
        }),
      },
      { type: "function", function: expect.objectContaining({ name: "end" }) },
    ]);
    expect(body.messages).toContainEqual({ role: "system", content: expect.stringContaining("one of: Router, END") });
    expect(result.output).toEqual({ text: "", toolCalls: [], finishReason: "stop", next: "Router" });
    // The call has its result: the conversation can be sent to any model as it is.
    expect(said(result).at(-1)).toMatchObject({
      role: "tool",
      content: [{ toolCallId: "c1", toolName: "set_next", output: { value: "next is Router" } }],
    });
    expect(result.patch?.at(-1)).toEqual({ op: "add", path: "/toolCalls", value: [] });
  });

  it("ends the conversation by its tool, which no executor sees", async () => {
    const { result, body } = await answer({ text: "Bye.", toolCalls: [{ id: "c1", name: "end", arguments: {} }] });
    expect(result.output).toEqual({ text: "Bye.", toolCalls: [], finishReason: "stop", next: "END" });
    expect(body.messages).toContainEqual({ role: "system", content: expect.stringContaining("call the tool end") });
  });

  it("has no such tool and no word about it without `controlTools`", async () => {
    const { body } = await answer({ text: "a" }, { routes: ["Router"] });
    expect(namesOf(body)).toEqual(["set_next"]);
    expect(JSON.stringify(body.messages)).not.toContain("tool end");
    // Called all the same it is a call like any other, which nobody offers.
    const { result: called } = await answer(
      { toolCalls: [{ id: "c1", name: "end", arguments: {} }] },
      { routes: ["R"] },
    );
    expect(called.output).toMatchObject({ next: "tool_executor", toolCalls: [{ tool: "end" }] });
    open.server.requests.length = 0;
    const { body: bare, result } = await answer({ text: "a" }, {});
    expect(bare.tools).toBeUndefined();
    expect(result.output).not.toHaveProperty("next");
  });

  it("is asked again after tools it called beside its decision [003-056]", async () => {
    const { result, body } = await answer(
      {
        toolCalls: [
          { id: "c1", name: "end", arguments: {} },
          { id: "c2", name: "shop_get", arguments: { id: 4 } },
        ],
      },
      { ...ROUTES, tools: ["shop.get"] },
    );
    expect(namesOf(body)).toEqual(["shop_get", "set_next", "end"]);
    const pending = [{ toolCallId: "c2", tool: "shop.get", arguments: { id: 4 } }];
    expect(result.output).toEqual({ text: "", toolCalls: pending, finishReason: "tool-calls", next: "tool_executor" });
    expect(result.patch?.at(-1)).toEqual({ op: "add", path: "/toolCalls", value: pending });
    expect(said(result).at(-1)).toMatchObject({
      role: "tool",
      content: [{ toolCallId: "c1", output: { value: expect.stringContaining("Not yet") } }],
    });
  });

  it("decides by the last of several decisions, and one that is no route is handed on as it is", async () => {
    const { result } = await answer({
      toolCalls: [
        { id: "c1", name: "set_next", arguments: { next: "Router" } },
        { id: "c2", name: "set_next", arguments: { next: "router" } },
      ],
    });
    expect(result.output).toMatchObject({ next: "router" });
    expect(said(result).at(-1)).toMatchObject({
      content: [{ output: { value: "A later call decided." } }, { output: { value: "next is router" } }],
    });
  });

  it("says nothing of where to go on with a plain answer", async () => {
    const { result } = await answer({ text: "Just this." });
    expect(result.output).toEqual({ text: "Just this.", toolCalls: [], finishReason: "stop" });
  });
});
