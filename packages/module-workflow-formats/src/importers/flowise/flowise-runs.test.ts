import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { json } from "../../shared/testing/scripted-model.ts";
import { flowEdge, flowNode, written } from "./testing/agentflow.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
beforeEach(() => {
  story.shop.asked = [];
  story.oven.server.requests.length = 0;
});
afterAll(() => story.stop());

const chat = (startState: JsonObject[] = []) =>
  flowNode("start", "startAgentflow", { startInputType: "chatInput", startState });
const form = (...names: string[]) =>
  flowNode("start", "startAgentflow", {
    startInputType: "formInput",
    formInputTypes: names.map((name) => ({ type: "string", label: name, name })),
  });
const reply = (text: string, id = "reply") =>
  flowNode(id, "directReplyAgentflow", { directReplyMessage: written(text) });
/** Nodes one after the other. */
const flow = (...nodes: JsonObject[]) => ({
  nodes,
  edges: nodes.slice(1).map((node, index) => flowEdge(String(nodes[index]?.id), String(node.id))),
});
const model = (id: string, inputs: JsonObject) =>
  flowNode(id, "llmAgentflow", { llmModel: "chatOpenAI", llmModelConfig: { modelName: "m" }, ...inputs });
/** The texts that the model was sent, one list for each call. */
const asked = () =>
  story.asked().map(({ body }) => {
    const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] }; // cast: the wire's own shape
    return messages.map(({ role, content }) => [role, content]);
  });

describe("an agentflow of Flowise", () => {
  it("gives each model the conversation and what those before it have answered", async () => {
    const document = flow(
      chat(),
      model("first", { llmEnableMemory: true, llmMessages: [{ role: "system", content: written("Be brief.") }] }),
      model("second", {
        llmEnableMemory: true,
        llmUserMessage: written("Say it better."),
        llmReturnResponseAs: "assistantMessage",
      }),
      reply("{{ first }} / {{ second }}"),
    );
    story.answers.push({ text: "Four" }, { text: "It is four." });
    const { status, output } = await story.run(document, { message: "2 + 2?" });
    expect([status, output]).toEqual(["completed", { text: "Four / It is four." }]);
    expect(asked()).toEqual([
      [
        ["system", "Be brief."],
        ["user", "2 + 2?"],
      ],
      [
        ["user", "2 + 2?"],
        ["user", "Four"],
        ["user", "Say it better."],
      ],
    ]);
  });

  it("asks the first model with the message where it has no prompt of a user, and later ones with theirs alone", async () => {
    const document = flow(
      chat(),
      model("first", { llmMessages: [{ role: "system", content: "Translate." }] }),
      model("second", { llmMessages: [{ role: "user", content: written("Shorten {{ first }}") }] }),
      reply("{{ second }}"),
    );
    story.answers.push({ text: "Bonjour" }, { text: "Bjr" });
    expect((await story.run(document, { message: "Hello" })).output).toEqual({ text: "Bjr" });
    expect(asked()).toEqual([
      [
        ["system", "Translate."],
        ["user", "Hello"],
      ],
      [["user", "Shorten Bonjour"]],
    ]);
  });

  it("writes the state of the flow, and goes by what a model has answered in fields", async () => {
    const choice = flowNode("choice", "conditionAgentflow", {
      conditions: [
        { type: "string", value1: written("{{ $flow.state.next }}"), operation: "equal", value2: written("REVIEW") },
        {
          type: "number",
          value1: written("{{ plan.output.score }}"),
          operation: "largerEqual",
          value2: written("0.5"),
        },
      ],
    });
    const plan = model("plan", {
      llmMessages: [{ role: "user", content: written("Plan {{ question }}") }],
      llmStructuredOutput: [
        { key: "next", type: "enum", enumValues: "REVIEW, WRITE", description: "Who is next" },
        { key: "score", type: "number" },
      ],
      llmUpdateState: [{ key: "next", value: written("{{ output.next }}") }],
    });
    const document = {
      nodes: [
        chat([{ key: "next", value: "" }]),
        plan,
        choice,
        reply("Review", "a"),
        reply("High: {{ plan.output.score }}", "b"),
        reply("Low", "c"),
      ],
      edges: [
        flowEdge("start", "plan"),
        flowEdge("plan", "choice"),
        ...["a", "b", "c"].map((id, output) => flowEdge("choice", id, output)),
      ],
    };
    for (const [next, score, text] of [
      ["REVIEW", 0.1, "Review"],
      ["WRITE", 0.5, "High: 0.5"],
      ["WRITE", 0.25, "Low"],
    ]) {
      story.answers.push(json({ next, score }));
      expect((await story.run(document, { message: "it" })).output).toEqual({ text });
    }
  });

  it("lets a model choose among scenarios", async () => {
    const choice = flowNode("choice", "conditionAgentAgentflow", {
      ...{ conditionAgentModel: "chatOpenAI", conditionAgentInput: written("{{ question }}") },
      conditionAgentInstructions: written("Is it about a refund?"),
      conditionAgentScenarios: [{ scenario: "Refund" }, { scenario: "Other" }],
    });
    const document = {
      nodes: [chat(), choice, reply("Refunded", "a"), reply("Sold", "b")],
      edges: [flowEdge("start", "choice"), flowEdge("choice", "a", 0), flowEdge("choice", "b", 1)],
    };
    story.answers.push(json({ scenario: "Other" }));
    expect((await story.run(document, { message: "A shoe" })).output).toEqual({ text: "Sold" });
    expect(JSON.stringify(asked())).toContain("Is it about a refund?");
  });

  it("calls over HTTP once, with the fields of its form in address, query, headers and body", async () => {
    const call = flowNode("call", "httpAgentflow", {
      ...{ method: "POST", url: `${story.shop.origin}/orders/{{ $form.id }}`, responseType: "json", bodyType: "json" },
      headers: [{ key: "x-trace", value: "t-{{ $form.id }}" }],
      queryParams: [{ key: "full", value: "yes" }],
      body: '{"id": "{{ $form.id }}", "tags": ["new"]}',
    });
    const { status, output } = await story.run(
      flow(form("id"), call, reply("{{ call.output.http.data.total }} of {{ call.output.http.status }}")),
      { id: "8" },
    );
    expect([status, output]).toEqual(["completed", { text: "120 of 200" }]);
    expect(story.shop.asked).toMatchObject([
      { method: "POST", url: "/orders/8?full=yes", headers: { "x-trace": "t-8" } },
    ]);
    expect(JSON.parse(story.shop.asked[0]?.body ?? "")).toEqual({ id: "8", tags: ["new"] });
    story.shop.statuses.push(500);
    expect((await story.run(flow(form("id"), call, reply("never")), { id: "9" })).status).toBe("failed");
    expect(story.shop.asked).toHaveLength(2);
  });

  it("runs its functions on their variables, and its iterations for each item of a list", async () => {
    const words = flowNode("words", "customFunctionAgentflow", {
      customFunctionInputVariables: [{ variableName: "text", variableValue: written("{{ $form.text }}") }],
      customFunctionJavascriptFunction: "const words = $text.split(' ');\nawait null;\nreturn words;",
    });
    const each = flowNode("each", "iterationAgentflow", { iterationInput: written("{{ words }}") });
    const upper = flowNode(
      "upper",
      "customFunctionAgentflow",
      {
        customFunctionInputVariables: [{ variableName: "word", variableValue: written("{{ $iteration }}") }],
        customFunctionJavascriptFunction: "return $word.toUpperCase();",
      },
      { parentNode: "each" },
    );
    const document = {
      nodes: [form("text"), words, each, upper, reply("{{ each }}")],
      edges: [flowEdge("start", "words"), flowEdge("words", "each"), flowEdge("each", "reply")],
    };
    const { status, output } = await story.run(document, { text: "one two" });
    expect([status, output]).toEqual(["completed", { text: "ONE\nTWO" }]);
  });

  it("reads a list that is a text, and refuses one whose numbers would be rounded", async () => {
    const each = flowNode("each", "iterationAgentflow", { iterationInput: written("{{ $form.list }}") });
    const inner = flowNode(
      "inner",
      "customFunctionAgentflow",
      {
        customFunctionInputVariables: [{ variableName: "one", variableValue: written("{{ $iteration.n }}") }],
        customFunctionJavascriptFunction: "return '<' + $one + '>';",
      },
      { parentNode: "each" },
    );
    const document = {
      nodes: [form("list"), each, inner, reply("{{ each }}")],
      edges: [flowEdge("start", "each"), flowEdge("each", "reply")],
    };
    const list = '[{"n": 1.5}, {"n": "76159173374952512310"}]';
    expect((await story.run(document, { list })).output).toEqual({ text: "<1.5>\n<76159173374952512310>" });
    const { status, errorInfo } = await story.run(document, { list: '[{"n": 76159173374952512310}]' });
    expect([status, errorInfo.message]).toEqual(["failed", expect.stringContaining("would be rounded")]);
  });

  it("goes back so often, and then says that it was too often", async () => {
    const again = flowNode("again", "loopAgentflow", {
      loopBackToNode: "ask-Ask",
      maxLoopCount: 2,
      fallbackMessage: "Given up",
    });
    const document = flow(chat(), model("ask", { llmEnableMemory: true }), again);
    expect((await story.run(document, { message: "Hi" })).output).toEqual({ text: "Given up" });
    expect(asked().map((messages) => messages.length)).toEqual([1, 2, 3]);
  });

  it("waits for a person, who lets it go on or rejects", async () => {
    const ask = flowNode("ask", "humanInputAgentflow", {
      ...{ humanInputDescriptionType: "fixed", humanInputDescription: written("Send {{ $form.text }}?") },
    });
    const document = {
      nodes: [form("text"), ask, reply("Sent", "a"), reply("Left", "b")],
      edges: [flowEdge("start", "ask"), flowEdge("ask", "a", 0), flowEdge("ask", "b", 1)],
    };
    for (const [action, text] of [
      ["approve", "Sent"],
      ["reject", "Left"],
    ] as const) {
      const { id, status } = await story.run(document, { text: "it" });
      expect(status).toBe("paused");
      const filter = encodeURIComponent(JSON.stringify({ executionId: id }));
      const [review] = (await story.call("GET", `reviews?filter=${filter}`)).body;
      expect(JSON.stringify(review)).toContain("Send it?");
      const decided = await story.call("POST", `reviews/${review.id}/decide`, { action, reason: "So be it" });
      expect(decided.status).toBe(200);
      await expect
        .poll(async () => (await story.call("GET", `agent-workflow-executions/${id}`)).body.output)
        .toEqual({ text });
    }
  });
});

describe("what has no equal in an agentflow of Flowise", () => {
  it("becomes a placeholder that names it", async () => {
    const tools = [{ agentSelectedTool: "arxiv" }];
    const document = flow(
      chat(),
      flowNode("searcher", "agentAgentflow", { agentTools: tools, agentMessages: [] }),
      flowNode("code", "customFunctionAgentflow", { customFunctionJavascriptFunction: "return require('fs');" }),
      model("late", { llmMessages: [{ role: "user", content: "{{ runtime_messages_length }}" }] }),
      flowNode("mail", "toolAgentflow", { toolAgentflowSelectedTool: "gmail" }),
      reply("{{ mail }}"),
    );
    const { outcomes, report } = await story.preview(document);
    expect(outcomes).toMatchObject({
      ...{ searcher: "placeholder", code: "placeholder", late: "placeholder", mail: "placeholder", reply: "mapped" },
    });
    const notes = Object.fromEntries(report.elements.map(({ name, notes: [first = ""] }) => [name, first]));
    expect(notes.searcher).toContain("its tools have to be chosen: arxiv");
    expect(notes.code).toContain("it loads modules");
    expect(notes.late).toContain("runtime_messages_length");
    expect(notes.mail).toBe("it calls the tool gmail");
    expect(report.settings.map(({ kind, name }) => [kind, name])).toEqual(
      expect.arrayContaining([
        ["tool", "arxiv"],
        ["tool", "gmail"],
      ]),
    );
  });

  it("never takes a credential along", async () => {
    const key = "sk-abcdefghijklmnopqrstuvwxyz012345";
    const call = flowNode("call", "httpAgentflow", {
      ...{
        method: "GET",
        url: "https://api.example.org/x",
        headers: [{ key: "Authorization", value: `Bearer ${key}` }],
      },
    });
    const { body } = await story.call("POST", "workflow-imports/preview", {
      source: JSON.stringify(flow(chat(), call)),
    });
    expect(JSON.stringify(body)).not.toContain(key);
    expect(JSON.stringify(body.definition)).toContain('"$secret":"call-authorization"');
  });

  it.each([
    ["without a step behind its start", { nodes: [chat()], edges: [] }],
    [
      "with two starts",
      { nodes: [chat(), { ...chat(), id: "other" }, reply("x")], edges: [flowEdge("start", "reply")] },
    ],
    ["with a node that has no kind", { nodes: [chat(), { id: "x", data: {} }], edges: [] }],
  ])("is refused %s", async (_, document) => {
    const { status, body } = await story.call("POST", "workflow-imports/preview", { source: JSON.stringify(document) });
    expect([status, body.error.code]).toEqual([422, "SOURCE_INVALID"]);
  });
});
