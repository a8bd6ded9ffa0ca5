import { Role } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import type { JsonObject } from "@oven/contract";
import { createTestPglite } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { defineModule, type ServiceMap } from "@oven/module-registry";
import { startOutsideServer, TEST_KEY } from "@oven/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectA2a, dataOf, getTask, send, stateOf, textOf, toRequest } from "./testing/a2a-client.ts";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { allowOwnDecisions } from "./testing/own-decisions.ts";
import { insertKey } from "./testing/strangers.ts";

const ECHO = {
  initial: "done",
  payloadSchema: { type: "object", properties: { question: { type: "string" } }, required: ["question"] },
  states: { done: { type: "final", output: { asked: "$.question" } } },
};
const WAITING = {
  initial: "parcel",
  states: {
    parcel: {
      label: "Wait for the parcel",
      invoke: { src: "core.waitForEvent", input: { event: "parcel.arrived" }, onDone: "done" },
    },
    done: { type: "final", output: { weight: "$.parcel.payload.weight" } },
  },
};
const ASKING = {
  initial: "ask",
  states: {
    ask: {
      invoke: { src: "agent.humanReview", input: { title: "Refund 12 euros?", show: "12 euros" }, onDone: "done" },
    },
    done: { type: "final", output: { said: "$.ask_output.action" } },
  },
};
const COLLECTING = {
  initial: "ask",
  states: {
    ask: {
      invoke: {
        src: "core.requestInput",
        input: {
          title: "Which order?",
          schema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
        },
        onDone: "done",
      },
    },
    done: { type: "final", output: "$.ask_output.data" },
  },
};
const ASKING_TWICE = {
  ...COLLECTING,
  states: {
    ...COLLECTING.states,
    ask: { ...COLLECTING.states.ask, invoke: { ...COLLECTING.states.ask.invoke, onDone: "more" } },
    more: { ...COLLECTING.states.ask, invoke: { ...COLLECTING.states.ask.invoke, onDone: "done" } },
    done: { type: "final", output: { first: "$.ask_output.data.order", second: "$.more_output.data.order" } },
  },
};
const FAILING = {
  initial: "break",
  states: {
    break: { invoke: { src: "core.fail", input: { message: "no parcel" }, onDone: "done" } },
    done: { type: "final" },
  },
};

let endpoint: McpEndpoint;
let services: ServiceMap;

beforeAll(async () => {
  const observer = defineModule({
    ...{ name: "module-observer", namespace: "observer", description: "Of this test.", dependencies: [] },
    services: async (deps) => {
      services = deps.services;
      return {};
    },
  });
  endpoint = await openMcpEndpoint({ modules: [...installedModules({ demo: false }), observer] });
  const workflows = {
    echo: ECHO,
    waiting: WAITING,
    asking: ASKING,
    collecting: COLLECTING,
    twice: ASKING_TWICE,
    failing: FAILING,
  };
  for (const [slug, definition] of Object.entries(workflows)) {
    const body = { name: slug, slug, description: `Does ${slug}`, definition, mcpExport: true };
    const made = await endpoint.oven.call("POST", "agent-workflows", body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
});
afterAll(() => endpoint.close());

const arrived = (id: number) =>
  endpoint.oven.call("POST", `agent-workflow-executions/${id}/events`, {
    event: "parcel.arrived",
    payload: { weight: 7 },
  });
const runOf = ({ metadata }: { metadata: JsonObject | undefined }): number =>
  Number((metadata?.["oven/run"] as JsonObject | undefined)?.id); // cast: what the task says of its run

describe("the card of an exported workflow", () => {
  it("says what the agent does and how to reach it, to who signs in", async () => {
    const client = await connectA2a(endpoint, "echo");
    expect(await client.getAgentCard()).toMatchObject({
      name: "echo",
      description: "Does echo",
      supportedInterfaces: [
        { url: `${endpoint.origin}/api/a2a/echo`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { protocolVersion: "0.3" },
      ],
      capabilities: { streaming: true },
      skills: [{ id: "echo", description: expect.stringContaining('"question"') }],
    });
  });

  it("is not shown without a key, to another tenant, or of a workflow that is not exported", async () => {
    const path = "a2a/echo/.well-known/agent-card.json";
    expect((await endpoint.oven.call("GET", path, undefined, { key: null })).status).toBe(401);
    const stranger = await insertKey(endpoint.oven.db, { tenantId: 2, permissions: { "*": ["*"] } });
    expect((await endpoint.oven.call("GET", path, undefined, { key: stranger.key })).status).toBe(404);
    expect((await endpoint.oven.call("GET", path.replace("echo", "nothing"))).status).toBe(404);
  });

  it("is asked for again, and sent only when it has changed", async () => {
    const ask = (headers = {}) =>
      fetch(`${endpoint.origin}/api/a2a/failing/.well-known/agent-card.json`, {
        headers: { authorization: `Bearer ${TEST_KEY}`, ...headers },
      });
    const first = await ask();
    expect(first.headers.get("cache-control")).toBe("private, max-age=60");
    expect(Date.parse(first.headers.get("last-modified") ?? "")).toBeGreaterThan(0);
    const etag = first.headers.get("etag") ?? "";
    const again = await ask({ "if-none-match": `"other", W/${etag}` });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    // The card of the other revision is another one.
    expect((await ask({ "if-none-match": etag, "a2a-version": "1.0" })).status).toBe(200);
    const { body } = await endpoint.oven.call("GET", "agent-workflows/failing");
    await endpoint.oven.call("PUT", `agent-workflows/${body.id}`, { ...body, description: "Fails well" });
    expect((await ask({ "if-none-match": etag })).status).toBe(200);
  });
});

describe("the endpoint", () => {
  const post = async (type: string) => {
    const response = await fetch(`${endpoint.origin}/api/a2a/echo`, {
      method: "POST",
      headers: { authorization: `Bearer ${TEST_KEY}`, "content-type": type, "a2a-version": "1.0" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} }),
    });
    return response.json();
  };

  it("takes JSON, and says so in the protocol's words", async () => {
    expect(await post("text/plain")).toMatchObject({ id: null, error: { code: -32_005 } });
    expect(await post("application/json; charset=utf-8")).toMatchObject({ id: 1, result: expect.anything() });
  });
});

describe("a run as a task", () => {
  it("answers with the run's output as an artifact, for data and for text", async () => {
    const client = await connectA2a(endpoint, "echo");
    for (const content of [{ question: "why" }, "why"]) {
      const task = await send(client, content);
      expect(stateOf(task)).toBe("completed");
      expect(dataOf(task.artifacts[0]?.parts)).toEqual({ asked: "why" });
    }
  });

  it("refuses input that the workflow's schema refuses, and begins nothing", async () => {
    const client = await connectA2a(endpoint, "echo");
    const count = async () => (await endpoint.oven.db.query("select id from a2a_tasks")).length;
    const before = await count();
    await expect(send(client, { question: 7 })).rejects.toThrow(/question/);
    expect(await count()).toBe(before);
  });

  it("is the same task when the same message comes again, and refuses its id for another one", async () => {
    const client = await connectA2a(endpoint, "echo");
    const first = await send(client, "why", { messageId: "once", contextId: "talk-1" });
    expect(first.contextId).toBe("talk-1");
    expect((await send(client, "why", { messageId: "once" })).id).toBe(first.id);
    await expect(send(client, "how", { messageId: "once" })).rejects.toThrow(/messageId/);
    const { tasks } = await client.listTasks({
      ...{ tenant: "", contextId: "talk-1", status: 0, pageToken: "", statusTimestampAfter: undefined },
    });
    expect(tasks.map(({ id }) => id)).toEqual([first.id]);
  });

  it("streams its states to its end", async () => {
    const client = await connectA2a(endpoint, "waiting");
    const heard: string[] = [];
    for await (const { payload } of client.sendMessageStream(toRequest({}))) {
      if (payload?.$case === "task") {
        heard.push("task");
        const id = runOf(payload.value);
        await expect.poll(async () => (await arrived(id)).status).toBeLessThan(300);
      }
      if (payload?.$case === "statusUpdate") heard.push(stateOf(payload.value));
      if (payload?.$case === "artifactUpdate") heard.push(JSON.stringify(dataOf(payload.value.artifact?.parts)));
    }
    expect(heard[0]).toBe("task");
    expect(heard.slice(-2)).toEqual(['{"weight":7}', "completed"]);
  });

  it("is followed by who comes back, and cancelled once", async () => {
    const client = await connectA2a(endpoint, "waiting");
    const { id } = await send(client, {}, { returnImmediately: true });
    const heard: string[] = [];
    for await (const { payload } of client.resubscribeTask({ tenant: "", id })) {
      if (payload?.$case === "task")
        expect(stateOf(await client.cancelTask({ tenant: "", id, metadata: undefined }))).toBe("canceled");
      if (payload?.$case === "statusUpdate") heard.push(stateOf(payload.value));
    }
    expect(heard.at(-1)).toBe("canceled");
    await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow();
  });

  it("fails with what went wrong", async () => {
    const task = await send(await connectA2a(endpoint, "failing"), {});
    expect(stateOf(task)).toBe("failed");
    expect(textOf(task)).toContain("no parcel");
  });

  it("serves clients of revision 0.3, too", async () => {
    const client = await connectA2a(endpoint, "echo", { legacy: true });
    expect(client.protocolVersion).toBe("0.3");
    const task = await send(client, { question: "why" });
    expect(stateOf(task)).toBe("completed");
    expect(dataOf(task.artifacts[0]?.parts)).toEqual({ asked: "why" });
  });

  it("is not there for another tenant, another key, and at another agent", async () => {
    const client = await connectA2a(endpoint, "waiting");
    const { id } = await send(client, {}, { returnImmediately: true });
    const mine = await endpoint.keyWith(["agent-workflows.execute"]);
    const other = await connectA2a(endpoint, "waiting", { key: mine });
    await expect(getTask(other, id)).rejects.toThrow(/not found/i);
    await expect(getTask(await connectA2a(endpoint, "echo"), id)).rejects.toThrow(/not found/i);
    const stranger = await insertKey(endpoint.oven.db, { tenantId: 2, permissions: { "*": ["*"] } });
    const asked = await rpc("waiting", "GetTask", { id }, stranger.key);
    expect(asked.status).toBe(404);
  });

  it("takes the permission that running the workflow takes", async () => {
    const key = await endpoint.keyWith(["agent-workflows.read"]);
    const answer = await rpc("echo", "SendMessage", { message: { messageId: "m", parts: [{ text: "why" }] } }, key);
    expect(answer.status).toBe(403);
    expect((await rpc("echo", "GetTask", { id: "x" }, null)).status).toBe(401);
  });
});

describe("a review", () => {
  /** A task of one person, and the client of another one who may decide it. */
  async function asked(slug = "asking") {
    const { key } = await insertKey(endpoint.oven.db, { tenantId: 1, permissions: { "*": ["*"] } });
    const task = await send(await connectA2a(endpoint, slug), {});
    const other = await connectA2a(endpoint, slug, { key });
    const shown = await getTask(other, task.id);
    const question = dataOf(shown.status?.message?.parts);
    return {
      task,
      other,
      shown,
      question,
      answer: { reviewId: question.reviewId ?? 0, digest: question.digest ?? "" },
    };
  }
  const reviewOf = async (id: unknown) => (await endpoint.oven.call("GET", `reviews/${id}`)).body;

  it("is left to people where the caller has asked for the run itself", async () => {
    const client = await connectA2a(endpoint, "asking");
    const task = await send(client, {});
    expect(stateOf(task)).toBe("working");
    expect(textOf(task)).toBe("People must decide: Refund 12 euros?");
    expect(task.status?.message?.parts).toHaveLength(1);
    await expect(send(client, { action: "approve" }, { taskId: task.id })).rejects.toThrow(/asks this caller nothing/);
  });

  it("is input that a caller who may decide it gives, and is decided like any other", async () => {
    const { task, other, shown, question, answer } = await asked();
    expect(stateOf(shown)).toBe("input_required");
    expect(question).toMatchObject({
      title: "Refund 12 euros?",
      proposal: "12 euros",
      actions: ["approve", "edit", "reject"],
    });
    const after = await send(other, { ...answer, action: "approve" }, { taskId: task.id });
    expect(stateOf(after)).toBe("completed");
    expect(dataOf(after.artifacts[0]?.parts)).toEqual({ said: "approve" });
    expect(await reviewOf(answer.reviewId)).toMatchObject({ status: "decided", action: "approve" });
    const again = send(other, { ...answer, action: "reject", reason: "No" }, { taskId: task.id });
    await expect(again).rejects.toThrow(/REVIEW_DECIDED: This review was decided: approve already/);
    await expect(send(other, "approve", { taskId: task.id })).rejects.toThrow(/has ended/);
  });

  it("is not decided by an answer to something else than what is proposed now", async () => {
    const { task, other, answer } = await asked();
    const wrong = { ...answer, digest: "0".repeat(64), action: "approve" };
    await expect(send(other, wrong, { taskId: task.id })).rejects.toThrow(/REVIEW_CHANGED|digest/i);
    // Who has not begun the task says what was shown.
    await expect(send(other, "approve", { taskId: task.id })).rejects.toThrow(/reviewId and digest/);
    expect(await reviewOf(answer.reviewId)).toMatchObject({ status: "open" });
  });

  it("is decided with a text by the caller itself, where the installation lets clients decide their own runs", async () => {
    const client = await connectA2a(endpoint, "asking");
    await allowOwnDecisions(endpoint.oven);
    const task = await send(client, {});
    expect(stateOf(task)).toBe("input_required");
    await expect(send(client, "well, approve it", { taskId: task.id })).rejects.toThrow(/what is decided/);
    const after = await send(client, "reject: too much", { taskId: task.id });
    expect(stateOf(after)).toBe("rejected");
    const { reviewId } = dataOf(task.status?.message?.parts);
    expect(await reviewOf(reviewId)).toMatchObject({ status: "decided", action: "reject" });
  });

  it("that asks for input is answered by the caller", async () => {
    const client = await connectA2a(endpoint, "collecting");
    const task = await send(client, {});
    expect(stateOf(task)).toBe("input_required");
    const after = await send(client, { action: "submit", data: { order: "8841" } }, { taskId: task.id });
    expect(dataOf(after.artifacts[0]?.parts)).toEqual({ order: "8841" });
    const again = await send(client, {});
    const answered = await send(client, "8842", { taskId: again.id });
    expect(dataOf(answered.artifacts[0]?.parts)).toEqual({ order: "8842" });
  });

  it("is another one where the same is asked again, which a text answers too", async () => {
    const client = await connectA2a(endpoint, "twice");
    const task = await send(client, {});
    const second = await send(client, "8845", { taskId: task.id });
    expect(stateOf(second)).toBe("input_required");
    const after = await send(client, "8846", { taskId: task.id });
    expect(dataOf(after.artifacts[0]?.parts)).toEqual({ first: "8845", second: "8846" });
  });

  it("is followed by who subscribes while it waits, to the end of the task", async () => {
    const client = await connectA2a(endpoint, "collecting");
    const task = await send(client, {});
    const heard: string[] = [];
    for await (const { payload } of client.resubscribeTask({ tenant: "", id: task.id })) {
      if (payload?.$case === "task") {
        heard.push(stateOf(payload.value));
        await send(client, "8843", { taskId: task.id });
      } else if (payload?.$case === "statusUpdate") heard.push(stateOf(payload.value));
      else heard.push(payload?.$case ?? "");
    }
    expect(heard[0]).toBe("input_required");
    expect(heard.slice(-2)).toEqual(["artifactUpdate", "completed"]);
  });
});

describe("the history of a task", () => {
  const historyOf = async (client: Client, id: string, historyLength?: number) => {
    const { history } = await client.getTask({
      tenant: "",
      id,
      ...(historyLength === undefined ? {} : { historyLength }),
    });
    return history.map(({ messageId, role, parts }) => ({
      messageId,
      said: parts.map(({ content }) => (content?.$case === "data" ? content.value : content?.value)),
      isOurs: role === Role.ROLE_AGENT,
    }));
  };

  it("is what the client and the agent have said, the newest of it, where a client asks for it", async () => {
    const client = await connectA2a(endpoint, "collecting");
    const task = await send(client, { from: "Bonn" }, { messageId: "h-1" });
    const asked = task.status?.message;
    await send(client, "8844", { taskId: task.id, messageId: "h-2" });
    const [first, question, answer, ...more] = await historyOf(client, task.id, 10);
    expect(more).toEqual([]);
    expect(first).toEqual({ messageId: "h-1", said: [{ from: "Bonn" }], isOurs: false });
    expect(question).toMatchObject({ messageId: asked?.messageId, isOurs: true });
    expect(question?.said[0]).toContain("Which order?");
    expect(answer).toEqual({ messageId: "h-2", said: ["8844"], isOurs: false });
    expect(await historyOf(client, task.id, 1)).toEqual([answer]);
    expect(await historyOf(client, task.id, 0)).toEqual([]);
    expect(await historyOf(client, task.id)).toEqual([]);
    await expect(historyOf(client, task.id, -1)).rejects.toThrow(/historyLength/);
  });

  it("holds what clients have answered, and not what people have decided", async () => {
    const { key } = await insertKey(endpoint.oven.db, { tenantId: 1, permissions: { "*": ["*"] } });
    const client = await connectA2a(endpoint, "asking", { key });
    for (const isOther of [false, true]) {
      const task = await send(client, {});
      const { reviewId, digest } = dataOf(task.status?.message?.parts);
      const decision = { action: "reject", reason: "Too much" };
      const decide = isOther
        ? endpoint.oven.call("POST", `reviews/${reviewId}/decide`, { ...decision, digest })
        : send(client, decision, { taskId: task.id, messageId: "h-3" });
      await decide;
      await expect.poll(async () => stateOf(await getTask(client, task.id))).toBe("rejected");
      expect((await historyOf(client, task.id, 10)).slice(2)).toEqual(
        isOther ? [] : [{ messageId: "h-3", said: [decision], isOurs: false }],
      );
    }
  });
});

describe("files of a task", () => {
  const KEPT = { tenantId: 1, executionId: 0, nodeId: "", visit: 1, item: null };
  const partsOf = async (weight: unknown) => {
    const client = await connectA2a(endpoint, "waiting");
    const { id, metadata } = await send(client, {}, { returnImmediately: true });
    await endpoint.oven.call("POST", `agent-workflow-executions/${runOf({ metadata })}/events`, {
      event: "parcel.arrived",
      payload: { weight },
    });
    await expect.poll(async () => stateOf(await getTask(client, id))).toBe("completed");
    const [artifact] = (await getTask(client, id)).artifacts;
    return (artifact?.parts ?? []).slice(1).map(({ content, filename, mediaType }) => ({
      filename,
      mediaType,
      content: content?.$case === "raw" ? Buffer.from(content.value).toString() : content?.value,
    }));
  };

  it("stand beside its output, larger ones as addresses", async () => {
    const { blobs } = services;
    const small = await blobs.write(KEPT, "text/plain", Buffer.from("Ten loaves"));
    const large = await blobs.write(KEPT, "application/pdf", Buffer.alloc(1_048_577, "x"));
    expect(await partsOf([{ filename: "../list.txt", blob: small }, large])).toEqual([
      { filename: ".._list.txt", mediaType: "text/plain", content: "Ten loaves" },
      {
        filename: `file-${large.$blob}.pdf`,
        mediaType: "application/pdf",
        content: `${endpoint.origin}/api/blobs/${large.$blob}`,
      },
    ]);
  });

  it("are none that a run has made up", async () => {
    const { blobs } = services;
    const other = await blobs.write(KEPT, "text/plain", Buffer.from("Of others"));
    expect(await partsOf({ ...other, sha256: "0".repeat(64) })).toEqual([]);
    expect(await partsOf({ ...other, $blob: other.$blob + 1_000 })).toEqual([]);
  });
});

describe("states that are pushed", () => {
  const modules = () => installedModules({ demo: false });
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });

  /** What arrived, as `token state`. */
  async function startReceiver(answer: () => number = () => 200) {
    const states: string[] = [];
    const server = await startOutsideServer(async (request) => {
      const status = answer();
      const { task } = (await request.json()) as { task: { status: { state: string } } }; // cast: the protocol's shape
      if (status === 200)
        states.push(
          `${request.headers.get("x-a2a-notification-token")} ${request.headers.get("authorization")} ${task.status.state}`,
        );
      return new Response(null, { status });
    });
    open.push(server);
    return { ...server, states };
  }
  async function startOven(outboundAllow: string[], db?: McpEndpoint["oven"]["db"]) {
    const environment = { outboundAllow };
    const started = await openMcpEndpoint({ modules: modules(), environment, ...(db === undefined ? {} : { db }) });
    const body = { name: "waiting", slug: "waiting", definition: WAITING, mcpExport: true };
    await started.oven.call("POST", "agent-workflows", body);
    return started;
  }
  const configOf = (url: string, taskId = "") => ({
    ...{ tenant: "", id: "mine", taskId, url, token: "t0ken" },
    authentication: { scheme: "Bearer", credentials: "cr3dentials" },
  });
  const arrivedAt = (at: McpEndpoint, id: number) =>
    at.oven.call("POST", `agent-workflow-executions/${id}/events`, { event: "parcel.arrived", payload: { weight: 7 } });

  it("arrive with the client's token, each once, and the last is the end", async () => {
    const receiver = await startReceiver();
    const started = await startOven([receiver.origin]);
    open.push(started);
    const client = await connectA2a(started, "waiting");
    const request = toRequest({}, { returnImmediately: true });
    const taskPushNotificationConfig = configOf(receiver.origin);
    const task = await client.sendMessage({
      ...request,
      configuration: { ...request.configuration, taskPushNotificationConfig },
    });
    if (!("id" in task)) throw new Error("no task");
    const seen = (state: string) => `t0ken Bearer cr3dentials TASK_STATE_${state}`;
    await expect.poll(() => receiver.states, { timeout: 10_000 }).toContain(seen("WORKING"));
    const { configs } = await client.listTaskPushNotificationConfig({
      tenant: "",
      taskId: task.id,
      pageSize: 0,
      pageToken: "",
    });
    expect(configs).toMatchObject([{ id: "mine", url: receiver.origin, token: "" }]);
    expect((await arrivedAt(started, runOf(task))).status).toBeLessThan(300);
    await expect.poll(() => receiver.states.at(-1), { timeout: 20_000 }).toBe(seen("COMPLETED"));
    expect(receiver.states.filter((state) => state === seen("COMPLETED"))).toHaveLength(1);
    expect(JSON.stringify(await started.oven.db.query("select * from a2a_pushes"))).not.toContain("cr3dentials");
  });

  it("arrive after a restart, where the receiver was away", async () => {
    let status = 503;
    const receiver = await startReceiver(() => status);
    const db = await createTestPglite();
    open.push(db);
    const first = await startOven([receiver.origin], db);
    const client = await connectA2a(first, "waiting");
    const task = await send(client, {}, { returnImmediately: true });
    await client.createTaskPushNotificationConfig(configOf(receiver.origin, task.id));
    await expect.poll(() => receiver.requests.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
    await first.close();
    status = 200;
    open.push(await startOven([receiver.origin], db));
    await expect
      .poll(() => receiver.states.at(-1), { timeout: 30_000 })
      .toBe("t0ken Bearer cr3dentials TASK_STATE_CANCELED");
  });

  it("do not reach this machine unless the operator allows it", async () => {
    const receiver = await startReceiver();
    const started = await startOven([]);
    open.push(started);
    const client = await connectA2a(started, "waiting");
    const task = await send(client, {}, { returnImmediately: true });
    await client.createTaskPushNotificationConfig(configOf(receiver.origin, task.id));
    const failures = async () => (await started.oven.db.query("select failures from a2a_pushes"))[0]?.failures;
    await expect.poll(failures, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(receiver.requests).toEqual([]);
    const bad = client.createTaskPushNotificationConfig(configOf("file:///etc/passwd", task.id));
    await expect(bad).rejects.toThrow(/push configuration/);
    await client.deleteTaskPushNotificationConfig({ tenant: "", taskId: task.id, id: "mine" });
    expect(await started.oven.db.query("select id from a2a_pushes")).toEqual([]);
  });
});

async function rpc(slug: string, method: string, params: object, key: string | null): Promise<Response> {
  return fetch(`${endpoint.origin}/api/a2a/${slug}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "a2a-version": "1.0",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}
