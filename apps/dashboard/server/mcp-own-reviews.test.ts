import type { McpEnvelope } from "@oven/contract/mcp";
import { installedModules } from "@oven/installation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { allowOwnDecisions } from "./testing/own-decisions.ts";
import { insertKey } from "./testing/strangers.ts";

type Client = Awaited<ReturnType<McpEndpoint["connect"]>>;

const ASKING = {
  initial: "ask",
  states: {
    ask: { invoke: { src: "agent.humanReview", input: { title: "Send it?", show: "bread" }, onDone: "done" } },
    done: { type: "final", output: "$.ask_output.action" },
  },
};
const COLLECTING = {
  initial: "ask",
  states: {
    ask: {
      invoke: {
        src: "core.requestInput",
        input: { title: "Which order?", schema: { type: "object", properties: { order: { type: "integer" } } } },
        onDone: "done",
      },
    },
    done: { type: "final", output: "$.ask_output.data" },
  },
};

describe("a review of a run that the client itself has started", () => {
  let endpoint: McpEndpoint;
  let trigger: string;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: false }) });
    const make = async (name: string, definition: object) => {
      const { status, body } = await endpoint.oven.call("POST", "agent-workflows", {
        name,
        mcpExport: true,
        definition,
      });
      expect(status, JSON.stringify(body)).toBe(201);
      return body.id as number;
    };
    const workflowId = await make("Asking", ASKING);
    await make("Collecting", COLLECTING);
    const target = { kind: "agent-workflow", workflowId };
    const { body } = await endpoint.oven.call("POST", "triggers", { type: "mcp", name: "Asking too", target });
    trigger = `triggers/${body.id}`;
  });
  afterAll(() => endpoint.close());

  async function call(client: Client, name: string, given: object): Promise<{ envelope: McpEnvelope; error: string }> {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...given } });
    const [said] = content as { text: string }[]; // cast: our tools answer text
    return {
      envelope: structuredContent as unknown as McpEnvelope, // cast: the output schema of the tools
      error: isError === true ? (said?.text ?? "") : "",
    };
  }
  async function pause(client: Client, tool: string) {
    const { envelope } = await call(client, tool, {});
    expect(envelope).toMatchObject({ status: "paused", pending: { url: expect.any(String) } });
    const { reviewId = 0, digest = "" } = envelope.pending ?? {};
    return { run: envelope.run.id, answer: { reviewId, digest, action: "approve" } };
  }
  const statusOf = async (review: number) => (await endpoint.oven.call("GET", `reviews/${review}`)).body.status;

  it.each([
    ["the server of a workflow", () => "asking", "asking"],
    ["that of a trigger", () => trigger, "asking_too"],
  ])("is not decided with answer_review on %s: the answer has the page where it is", async (_what, server, tool) => {
    const client = await endpoint.connect(server());
    const { run, answer } = await pause(client, tool);
    const { envelope, error } = await call(client, "answer_review", answer);
    expect(error).toMatch(/REVIEW_NOT_YOURS.*MCP_DECIDE_OWN_RUNS/);
    const url = `${endpoint.origin}/reviews/${answer.reviewId}`;
    expect(error).toContain(url);
    expect(envelope).toMatchObject({
      status: "paused",
      run: { id: run },
      pending: { reviewId: answer.reviewId, digest: answer.digest, url },
    });
    expect(await statusOf(answer.reviewId)).toBe("open");
    // Decided there, it is as any other.
    await endpoint.oven.call("POST", `reviews/${answer.reviewId}/decide`, { action: "approve", digest: answer.digest });
    await expect
      .poll(async () => (await call(client, "get_run", { id: run })).envelope)
      .toMatchObject({ status: "completed", output: "approve" });
    expect((await call(client, "answer_review", answer)).error).toContain("REVIEW_DECIDED");
  });

  it("is decided by another person's client", async () => {
    const { answer } = await pause(await endpoint.connect("asking"), "asking");
    const { key } = await insertKey(endpoint.oven.db, { tenantId: 1, permissions: { "*": ["*"] } });
    const other = await endpoint.connect("asking", { key });
    expect((await call(other, "answer_review", answer)).envelope).toMatchObject({ status: "completed" });
  });

  it("is decided by the client's user, whom it asks in the middle of the call", async () => {
    const client = await endpoint.connect("asking", {
      capabilities: { elicitation: { form: {} } },
      prepare: (unconnected) =>
        unconnected.setRequestHandler("elicitation/create", async () => ({
          action: "accept",
          content: { action: "approve" },
        })),
    });
    expect((await call(client, "asking", {})).envelope).toMatchObject({ status: "completed", output: "approve" });
  });

  it("is answered by the client where it is a request for input, in which there is nothing to approve", async () => {
    const client = await endpoint.connect("collecting");
    const { answer } = await pause(client, "collecting");
    const { envelope, error } = await call(client, "answer_review", {
      ...answer,
      action: "submit",
      data: { order: 8841 },
    });
    expect(error).toBe("");
    expect(envelope).toMatchObject({ status: "completed", output: { order: 8841 } });
  });

  it("is nothing that a key without the permission learns about", async () => {
    const key = await endpoint.keyWith(["agent-workflows.execute"]);
    const client = await endpoint.connect("asking", { key });
    const { answer } = await pause(client, "asking");
    const { envelope, error } = await call(client, "answer_review", answer);
    expect(error).toContain("FORBIDDEN");
    expect(envelope).toBeUndefined();
  });

  it("is decided with answer_review where the installation allows it", async () => {
    const client = await endpoint.connect("asking");
    const { answer } = await pause(client, "asking");
    await allowOwnDecisions(endpoint.oven);
    expect((await call(client, "answer_review", answer)).envelope).toMatchObject({ status: "completed" });
  });
});
