import type { Json, JsonObject } from "@oven/contract";
import type { WorkflowDraft } from "@oven/contract/workflow";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BuilderOven, startBuilderOven } from "./testing/builder-oven.ts";

let oven: BuilderOven;
beforeAll(async () => {
  oven = await startBuilderOven();
});
afterEach(() => expect(oven.unsaid()).toBe(0));
afterAll(() => oven.stop());

const call = (tool: string, args: Json) => ({ toolCalls: [{ name: `build_${tool}`, arguments: args }] });
const draftOf = async (id: number): Promise<WorkflowDraft> =>
  (await oven.call("GET", `agent-workflows/${id}/draft`)).body;

const greet = (words: string) => ({
  invoke: { src: "core.transform", input: { mapping: { text: `${words} {{ $.trigger.name }}` } }, onDone: "done" },
});
const DONE = { type: "final", output: { text: "$.greet_output.text" } };
const SETTINGS = {
  initial: "greet",
  payloadSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
const CASES = { cases: [{ name: "Ada", input: { name: "Ada" }, expect: { output: { text: "Hello Ada" } } }] };

/** A loop over orders in which a person approves those above 100. */
const APPROVE_ORDERS: JsonObject = {
  put: {
    each: {
      label: "Each order",
      loop: {
        type: "forEach",
        collection: "$.trigger.orders",
        itemVariable: "order",
        maxIterations: 50,
        bodyInitial: "large",
        bodyStates: {
          large: {
            label: "Above 100?",
            always: [
              {
                target: "approve",
                guard: { type: "condition", params: { key: "$.order.amount", operator: ">", value: 100 } },
              },
              { target: "next" },
            ],
          },
          approve: {
            label: "Approve the order",
            invoke: {
              src: "agent.humanReview",
              input: { title: "Pay this order?", show: "$.order" },
              onDone: "next",
              onError: "next",
            },
          },
          next: { type: "final" },
        },
        onDone: "done",
      },
    },
    done: { type: "final", outcome: "checked" },
  },
  settings: {
    initial: "each",
    payloadSchema: {
      type: "object",
      properties: {
        orders: { type: "array", items: { type: "object", properties: { amount: { type: "number" } } } },
      },
      required: ["orders"],
    },
  },
};
const ORDER_CASES: JsonObject = {
  cases: [
    {
      name: "one is large",
      input: { orders: [{ amount: 20 }, { amount: 500 }] },
      expect: { outcome: "checked", visits: ["each", "approve"] },
    },
    { name: "none", input: { orders: [] }, expect: { outcome: "checked" } },
  ],
};

/** A workflow of the tenant with a draft that greets. */
async function newWorkflow(): Promise<number> {
  const definition = { ...SETTINGS, states: { greet: greet("Hello"), done: DONE } };
  const { status, body } = await oven.call("POST", "agent-workflows", { name: "Greeter", definition });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

async function saveAsPerson(id: number, change: (definition: JsonObject) => JsonObject): Promise<void> {
  const { body: draft } = await oven.call("GET", `agent-workflows/${id}/draft`);
  const { body: workflow } = await oven.call("GET", `agent-workflows/${id}`);
  const saved = await oven.call("PUT", `agent-workflows/${id}/draft`, {
    definition: change(draft.definition ?? workflow.definition),
    baseVersion: workflow.version,
    revision: draft.revision ?? 0,
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

describe("a conversation with the builder", () => {
  it("makes a draft of a new workflow from one sentence, tries it, and says what was proved", async () => {
    oven.script(
      call("read_steps", {}),
      call("change_steps", {
        put: { greet: { invoke: { src: "core.transform", input: { value: "Hello" }, onDone: "done" } }, done: DONE },
        settings: SETTINGS,
      }),
      call("change_steps", { put: { greet: greet("Hello") } }),
      call("check_draft", CASES),
      { text: "It greets people by name, see [Greet](#step:greet)." },
    );
    const { chatId, workflowId } = await oven.start("Greet people by their name");
    const { message, output } = await oven.settled(chatId);
    const answers = await oven.answers(message.executionId ?? 0);
    expect(answers[1]?.result).toMatchObject({
      valid: false,
      problems: [{ path: "$.states.greet.invoke.input.mapping" }, { path: "$.states.greet.invoke.input.value" }],
    });
    expect(answers[2]?.result).toMatchObject({ valid: true, draft_revision: 2 });
    expect(output).toMatchObject({
      text: "It greets people by name, see [Greet](#step:greet).",
      proof: {
        ...{ workflowId, draftRevision: 2, valid: true, problems: [], notProved: [] },
        cases: [{ name: "Ada", passed: true, status: "completed", reason: null }],
        worstCase: { modelCalls: 0, reviews: 0, unbounded: [] },
      },
    });
    const { body } = await oven.call("GET", `agent-workflows/${workflowId}`);
    expect(body).toMatchObject({ name: "Greet people by their name", version: 1 });
    expect(body.definition).toEqual({ initial: "done", states: { done: { type: "final" } } });
    expect((await oven.call("GET", `agent-workflows/${workflowId}/test-data`)).body.inputs).toEqual({
      Ada: { name: "Ada" },
    });
    const { body: audit } = await oven.call("GET", "audit-log?range=[0,99]");
    const run = `(run ${message.executionId})`;
    expect(audit.filter(({ action }: { action: string }) => action.endsWith(run)).toReversed()).toMatchObject([
      { action: `assistant change_steps ${run}`, outcome: "done", targetId: String(workflowId) },
      { action: `assistant change_steps ${run}`, outcome: "done" },
      { action: `assistant check_draft ${run}`, outcome: "done" },
    ]);
    expect((await oven.call("GET", `builder/conversations?workflowId=${workflowId}`)).body).toMatchObject([
      { chatId, workflowId },
    ]);
  });

  it("builds a loop with a review in it, and tries each way through", async () => {
    oven.script(call("change_steps", APPROVE_ORDERS), call("check_draft", ORDER_CASES), { text: "Done." });
    const { chatId } = await oven.start("Have a person approve each order above 100");
    const { output } = await oven.settled(chatId);
    expect(output?.proof).toMatchObject({
      ...{ valid: true, problems: [], cases: [{ passed: true }, { passed: true }] },
      worstCase: { reviews: 50 },
      notProved: ["reviews", "unbounded"],
    });
  });

  it("sends what is not right back to the model until it is, and says so where it never is", async () => {
    const id = await newWorkflow();
    oven.script(
      call("change_steps", { put: { greet: greet("Goodbye") } }),
      call("check_draft", CASES),
      { text: "All tests pass." },
      call("change_steps", { put: { greet: greet("Hello") } }),
      { text: "Now they do." },
    );
    const { chatId } = await oven.start("Say it differently", id);
    const { output } = await oven.settled(chatId);
    expect(output).toMatchObject({ text: "Now they do.", proof: { cases: [{ passed: true }] } });
    const told = JSON.stringify(oven.server.requests.at(-2)?.body.messages);
    expect(told).toContain('The test case \\"Ada\\" does not pass');

    oven.script(
      call("change_steps", { put: { greet: { invoke: { src: "core.unknown" } } } }),
      ...[1, 2, 3, 4].map((round) => ({ text: `It works, ${round}.` })),
    );
    await oven.call("POST", `chat-sessions/${chatId}/messages`, { message: "Break it" });
    const broken = await oven.settled(chatId);
    expect(broken.output).toMatchObject({ text: "It works, 4.", proof: { valid: false, cases: [], worstCase: null } });
  });

  it("leaves what a person draws meanwhile, and does not change what both change", async () => {
    const id = await newWorkflow();
    await saveAsPerson(id, (definition) => definition);
    oven.script({ text: "I wait." });
    const { chatId } = await oven.start("Wait", id);
    await oven.settled(chatId);
    let draws = (): Promise<void> =>
      saveAsPerson(id, (definition) => ({
        ...definition,
        states: { ...statesOf(definition), mine: { type: "final" } },
      }));
    oven.script(call("ask_person", { question: "Which greeting?", options: ["Hello", "Hi"] }));
    await oven.call("POST", `chat-sessions/${chatId}/messages`, { message: "Greet with Hi" });
    const asked = await oven.settled(chatId);
    expect(asked.message.status).toBe("paused");
    await draws();
    oven.script(call("change_steps", { draft_revision: 1, put: { greet: greet("Hi") } }), { text: "Done." });
    await answer(asked.message.executionId ?? 0, "Hi");
    await oven.settled(chatId);
    const states = statesOf((await draftOf(id)).definition);
    expect(states).toMatchObject({ greet: greet("Hi"), mine: { type: "final" } });

    oven.script(call("read_steps", {}), call("ask_person", { question: "Sure?" }));
    await oven.call("POST", `chat-sessions/${chatId}/messages`, { message: "Now Hey" });
    const again = await oven.settled(chatId);
    draws = () =>
      saveAsPerson(id, (definition) => ({ ...definition, states: { ...statesOf(definition), greet: greet("Ahoy") } }));
    await draws();
    oven.script(call("change_steps", { put: { greet: greet("Hey") } }), { text: "You have changed it." });
    await answer(again.message.executionId ?? 0, "yes");
    const refused = await oven.settled(chatId);
    const answers = await oven.answers(refused.message.executionId ?? 0);
    expect(answers.at(-1)?.error).toContain("A person has changed greet");
    expect(statesOf((await draftOf(id)).definition)).toMatchObject({ greet: greet("Ahoy") });
  });

  it("asks three questions in a run at most, and the person alone answers", async () => {
    const id = await newWorkflow();
    oven.script(call("ask_person", { question: "One?" }));
    const { chatId } = await oven.start("Ask me", id);
    for (const next of ["Two?", "Three?", "Four?"]) {
      const { message } = await oven.settled(chatId);
      expect(message.status).toBe("paused");
      oven.script(call("ask_person", { question: next }), ...(next === "Four?" ? [{ text: "I decide." }] : []));
      await answer(message.executionId ?? 0, "yes");
    }
    const { message, output } = await oven.settled(chatId);
    expect(output).toEqual({ text: "I decide.", proof: null });
    const answers = await oven.answers(message.executionId ?? 0);
    expect(answers.map(({ result }) => (result as JsonObject).answer)).toEqual(["yes", "yes", "yes", null]);
  });

  it("changes and runs no other workflow, nothing for real, and has no tool that publishes", async () => {
    const id = await newWorkflow();
    const other = await newWorkflow();
    oven.script(
      call("change_steps", { workflow_id: other, put: { greet: greet("Bye") } }),
      call("test_agent_workflow", { workflow_id: other, input: { name: "Ada" } }),
      call("test_agent_workflow", { dry_run: false, input: { name: "Ada" } }),
      call("try_on_past_runs", { live_max_cost_micros: 1_000 }),
      call("publish_agent_workflow", { draft_revision: 1 }),
      { text: "None of it is possible." },
    );
    const { chatId } = await oven.start("Do what you may not", id);
    const { message } = await oven.settled(chatId);
    const answers = await oven.answers(message.executionId ?? 0);
    expect(message).toMatchObject({ status: "completed" });
    expect(answers.map(({ error = "" }) => error)).toEqual([
      expect.stringContaining("no other one is changed or run"),
      expect.stringContaining("no other one is changed or run"),
      expect.stringContaining("dry_run cannot be set"),
      expect.stringContaining("live_max_cost_micros cannot be set"),
      expect.stringContaining("publish_agent_workflow"),
    ]);
    expect((await oven.call("GET", `agent-workflows/${other}/draft`)).status).toBe(404);
    expect((await oven.call("GET", `agent-workflows/${id}`)).body.version).toBe(1);
  });

  it("ends a conversation that has cost what it may", async () => {
    const id = await newWorkflow();
    oven.script({ text: "Hello." });
    const { chatId } = await oven.start("Hello", id);
    const first = await oven.settled(chatId);
    await oven.db.query("update chat_turns set cost_micros = 10000000 where execution_id = $1", [
      first.message.executionId ?? 0,
    ]);
    await oven.call("POST", `chat-sessions/${chatId}/messages`, { message: "Go on" });
    const { message } = await oven.settled(chatId);
    expect(message).toMatchObject({ status: "failed", error: { code: "COST_LIMIT" } });
    expect(message.error?.message).toContain("10.00 USD");
  });

  it("is the same workflow for each tenant, whatever a tenant calls its own", async () => {
    const own = { initial: "done", states: { done: { type: "final", output: { text: "I am another", proof: null } } } };
    await oven.call("POST", "agent-workflows", { name: "Mine", slug: "builder", definition: own });
    const other = await oven.keyOf(2);
    oven.script({ text: "Hello." });
    const { chatId } = await oven.start("Hello", await newWorkflow());
    expect((await oven.settled(chatId)).output).toEqual({ text: "Hello.", proof: null });
    oven.script({ text: "Hello, tenant 2." });
    const started = await oven.call("POST", "builder/conversations", { message: "Hello" }, { key: other });
    expect(started.status, JSON.stringify(started.body)).toBe(201);
    const there = await oven.settled(started.body.chatId, other);
    expect(there.output).toEqual({ text: "Hello, tenant 2.", proof: null });
  });

  it("links to steps that there are", async () => {
    const id = await newWorkflow();
    oven.script({ text: "First [Hi](#step:hello)." }, { text: "First [Greet](#step:greet)." });
    const { chatId } = await oven.start("What does this do?", id);
    const { output } = await oven.settled(chatId);
    expect(output).toEqual({ text: "First [Greet](#step:greet).", proof: null });
  });
});

function statesOf(definition: JsonObject): JsonObject {
  return definition.states as JsonObject; // cast: of a definition that the test has written
}

async function answer(executionId: number, words: string): Promise<void> {
  const { body } = await oven.call("GET", `reviews?filter=${JSON.stringify({ executionId, status: "open" })}`);
  const [review] = body;
  const { status, body: said } = await oven.call("POST", `reviews/${review.id}/decide`, {
    action: "submit",
    digest: review.digest,
    data: { answer: words },
  });
  expect(status, JSON.stringify(said)).toBe(200);
}
