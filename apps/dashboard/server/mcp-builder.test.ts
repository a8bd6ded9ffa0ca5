import { installedModules } from "@oven/installation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { insertKey } from "./testing/strangers.ts";

/*
 * What an outside AI client does that builds a workflow of six steps, with a real client against the real server: a mail comes in, a model
 * classifies it with structured output, a branch leads complaints to a person, then a service is called, and the run ends.
 */

interface Builder {
  call(name: string, given: object): Promise<Answer>;
  calls: number;
  /** Of the texts that models read. */
  bytes: number;
  errors: string[];
}
// biome-ignore lint/suspicious/noExplicitAny: each tool answers its own shape
type Answer = any;

let endpoint: McpEndpoint;
beforeAll(async () => {
  endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
  await insertKey(endpoint.oven.db, { tenantId: 1, permissions: {}, role: "admin" });
});
afterAll(() => endpoint.close());

async function startBuilder(): Promise<Builder> {
  const client = await endpoint.connect("oven");
  const builder: Builder = {
    calls: 0,
    bytes: 0,
    errors: [],
    async call(name, given) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...given } });
      const [said] = content as { text: string }[]; // cast: our tools answer text
      const text = said?.text ?? "";
      builder.calls += 1;
      builder.bytes += Buffer.byteLength(text);
      if (isError === true) builder.errors.push(`${name}: ${text}`);
      return structuredContent;
    },
  };
  return builder;
}

/** As a builder writes it who has read the guide's example and the descriptions of the three node types. */
const TRIAGE = {
  initial: "classify",
  payloadSchema: {
    type: "object",
    properties: { from: { type: "string" }, subject: { type: "string" }, text: { type: "string" } },
    required: ["from", "subject", "text"],
  },
  states: {
    classify: {
      invoke: {
        src: "agent.llm",
        input: {
          prompt: "Is this mail a complaint?\n{{ $.trigger.subject }}\n{{ $.trigger.text }}",
          outputSchema: {
            type: "object",
            properties: { kind: { enum: ["complaint", "other"] }, summary: { type: "string" } },
            required: ["kind", "summary"],
          },
        },
        onDone: "branch",
        onError: "failed",
      },
    },
    branch: {
      always: [
        {
          target: "review",
          guard: {
            type: "condition",
            params: { key: "$.classify_output.object.kind", operator: "==", value: "complaint" },
          },
        },
        { target: "ticket" },
      ],
    },
    review: {
      invoke: {
        src: "agent.humanReview",
        input: { title: "Pass it on?", show: "$.classify_output.object.summary", assignees: ["role:admin"] },
        onDone: "ticket",
        onError: "failed",
      },
    },
    ticket: {
      invoke: {
        src: "core.http",
        input: {
          method: "POST",
          url: "https://example.com/tickets",
          body: { from: "$.trigger.from", kind: "$.classify_output.object.kind" },
        },
        onDone: "done",
        onError: "failed",
      },
    },
    done: { type: "final", output: { kind: "$.classify_output.object.kind" } },
    failed: { type: "final", outcome: "failed" },
  },
};

describe("a builder over MCP", () => {
  it("builds, checks, tries out and publishes a workflow of six steps in twelve calls and 40 kB of answers", async () => {
    const builder = await startBuilder();
    const { call } = builder;
    const { topics } = await call("definition_guide", {});
    expect(topics.map(({ topic }: Answer) => topic)).toEqual(
      expect.arrayContaining(["loops", "guards", "expressions", "reviews", "examples"]),
    );
    await call("definition_guide", { topic: "examples" });
    const found = async (words: string) =>
      (await call("find_node_types", { words })).node_types.map(({ node_type }: Answer) => node_type);
    expect((await found("classify"))[0]).toBe("agent.llm");
    for (const node_type of ["agent.llm", "agent.humanReview", "core.http"])
      await call("describe_node_type", { node_type });

    const misspelt = structuredClone(TRIAGE);
    misspelt.states.ticket.invoke.input.body.from = "$.trigger.sender";
    misspelt.states.review.invoke.input.assignees = ["role:suport"];
    const made = await call("create_agent_workflow", { name: "Mail triage", definition: misspelt });
    expect(made).toMatchObject({ slug: "mail-triage", published_version: null, draft_revision: 1, valid: false });
    expect(made.problems).toMatchObject([
      { path: "$.states.review.invoke.input.assignees[0]", rule: "unknown-assignee", guide: "reviews" },
      { path: "$.states.ticket.invoke.input.body.from", rule: "unknown-path", guide: "expressions" },
    ]);
    // Nothing of it is live yet.
    const { body: before } = await endpoint.oven.call("GET", `agent-workflows/${made.workflow_id}`);
    expect(before.definition).toEqual({ initial: "done", states: { done: { type: "final" } } });

    const { workflow_id } = made;
    const changed = await call("update_agent_workflow", { workflow_id, draft_revision: 1, definition: TRIAGE });
    expect(changed).toMatchObject({ draft_revision: 2, valid: true, problems: [] });
    const tried = await call("test_agent_workflow", {
      workflow_id,
      input: { from: "ada@example.com", subject: "My order", text: "It has not arrived!" },
    });
    expect(tried).toMatchObject({ status: "completed", dry_run: true, version: -2 });
    expect(tried.steps.map(({ step }: Answer) => step)).toEqual(["classify", "review", "ticket"]);
    const live = await call("publish_agent_workflow", { workflow_id, draft_revision: 2 });
    expect(live).toMatchObject({ published_version: 2, draft_revision: null, valid: true });
    await call("create_trigger", {
      type: "email",
      name: "Support mailbox",
      workflow_id,
      config: { host: "imap.example.com", user: "support@example.com", password: "mailbox" },
      input: { from: "$.from.address", subject: "$.subject", text: "$.text" },
      enabled: false,
    });

    expect(builder.errors).toEqual([]);
    expect(builder.calls).toBeLessThanOrEqual(12);
    expect(builder.bytes).toBeLessThanOrEqual(40_000);
  });

  it("is told the same of a definition as over REST, with the ways and types that steps leave behind", async () => {
    const { call } = await startBuilder();
    const definition = structuredClone(TRIAGE);
    definition.states.branch.always[0] = {
      target: "review",
      guard: {
        type: "condition",
        params: { key: "$.classify_output.object.kind", operator: "==", value: "complaints" },
      },
    };
    definition.states.done.output.kind = "$.review_output.action";
    definition.states.ticket.invoke.input.body.kind = "$.classify_output.object.sort";
    definition.states.review.invoke.input.assignees = ["role:nowhere", "user:999999", "user:who@example.com"];
    const { body } = await endpoint.oven.call("POST", "agent-workflows/validate", { definition });
    const { problems } = await call("validate_definition", { definition });
    const short = ({ path, rule, message }: Answer) => ({ path, rule, message });
    expect(problems.map(short)).toEqual(body.problems.map(short));
    expect(problems.map(({ rule }: Answer) => rule).toSorted()).toEqual([
      "may-be-missing",
      "pointless-comparison",
      ...["unknown-assignee", "unknown-assignee", "unknown-assignee"],
      "unknown-field",
    ]);
    for (const problem of problems) expect(problem.guide, problem.rule).toBeDefined();
  });

  it("finds the examples of the guide valid as they stand", async () => {
    const { call } = await startBuilder();
    const { text } = await call("definition_guide", { topic: "examples" });
    const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json));
    expect(examples).toHaveLength(3);
    for (const definition of examples)
      expect(await call("validate_definition", { definition })).toEqual({ valid: true, problems: [] });
  });

  it("reads every topic of the guide, as a tool and as a resource", async () => {
    const client = await endpoint.connect("oven");
    const { call } = await startBuilder();
    const { topics } = await call("definition_guide", {});
    for (const { topic } of topics) {
      const { text } = await call("definition_guide", { topic });
      expect(text.length, topic).toBeGreaterThan(200);
      const { contents } = await client.readResource({ uri: `oven://guide/${topic}` });
      expect(contents).toMatchObject([{ text, mimeType: "text/markdown" }]);
    }
  });

  it("finds loops, and pages through tools in short answers", async () => {
    const builder = await startBuilder();
    const { node_types } = await builder.call("find_node_types", { words: "loop" });
    expect(node_types[0]).toMatchObject({ node_type: "loop", about: expect.stringContaining("forEach") });
    const seen = new Set<string>();
    for (let offset: number | null = 0; offset !== null; ) {
      const before = builder.bytes;
      const page: Answer = await builder.call("list_tools", { limit: 100, offset });
      expect(builder.bytes - before).toBeLessThan(25_000);
      for (const { tool_id } of page.tools) seen.add(tool_id);
      offset = page.next_offset;
    }
    const { body } = await endpoint.oven.call("GET", "tools?range=[0,999]");
    expect(seen.size).toBe(body.length);
  });

  it("reads and changes a graph of a thousand steps in parts", async () => {
    const builder = await startBuilder();
    const step = (index: number) => ({
      label: `Step ${index}`,
      invoke: {
        src: "core.transform",
        input: { mapping: { index } },
        onDone: index === 999 ? "done" : `s${index + 1}`,
      },
    });
    const states = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`s${index}`, step(index)]));
    const definition = { initial: "s0", states: { ...states, done: { type: "final" } } };
    const { workflow_id } = await builder.call("create_agent_workflow", { name: "Long", definition });
    const before = builder.bytes;
    const first = await builder.call("read_steps", { workflow_id });
    expect(first).toMatchObject({ draft_revision: 1, initial: "s0", next_offset: 100 });
    expect(first.outline[0]).toEqual({ step: "s0", does: "core.transform", label: "Step 0", to: ["s1"] });
    const named = await builder.call("read_steps", { workflow_id, words: "transform s998", steps: ["s998"] });
    expect(named.outline.map(({ step: id }: Answer) => id)).toEqual(["s998"]);
    expect(named.states).toEqual({ s998: step(998) });
    const changed = await builder.call("change_steps", {
      workflow_id,
      draft_revision: 1,
      put: { s998: { ...step(998), invoke: { ...step(998).invoke, onDone: "done" } } },
      remove: ["s999"],
      settings: { description: "Shorter" },
    });
    expect(changed).toMatchObject({ draft_revision: 2, valid: true, problems: [] });
    expect(builder.bytes - before).toBeLessThan(15_000);
    expect(builder.errors).toEqual([]);
    await builder.call("change_steps", { workflow_id, draft_revision: 1, put: { s1: step(1) } });
    await builder.call("change_steps", { workflow_id, remove: ["nowhere"] });
    await builder.call("change_steps", { workflow_id, settings: { states: {} } });
    await builder.call("change_steps", { workflow_id, put: { inner: step(1) }, inside: "s1" });
    await builder.call("read_steps", { workflow_id, steps: ["nowhere"] });
    expect(builder.errors).toEqual([
      expect.stringContaining("STALE_DRAFT"),
      expect.stringContaining("There is no state"),
      expect.stringContaining("`states` is no setting"),
      expect.stringContaining("No states can stand in s1"),
      expect.stringContaining("There is no state"),
    ]);
    expect(builder.errors.every(({ length }) => length < 500)).toBe(true);
  });

  it("names agents, vector stores and tables that steps can use", async () => {
    const { call } = await startBuilder();
    const slugs = async (kind: string) =>
      (await call("list_resources", { kind })).resources.map(({ slug }: Answer) => slug);
    await endpoint.oven.call("POST", "tables", { name: "Orders", columns: [{ name: "number", type: "text" }] });
    expect(await slugs("agents")).toEqual(["shop-assistant"]);
    expect(await slugs("vector_stores")).toEqual([]);
    expect(await slugs("tables")).toEqual(["orders"]);
  });

  it("puts steps inside of a loop, and replaces them where they stand", async () => {
    const { call } = await startBuilder();
    const { workflow_id } = await call("create_agent_workflow", {
      name: "Loop",
      definition: {
        initial: "each",
        states: {
          each: {
            loop: {
              ...{ type: "forEach", collection: [1, 2], itemVariable: "item", maxIterations: 5 },
              ...{ bodyInitial: "first", bodyStates: { first: { type: "final" } }, onDone: "done" },
            },
          },
          done: { type: "final" },
        },
      },
    });
    const log = (message: string, onDone: string) => ({ invoke: { src: "core.log", input: { message }, onDone } });
    const changed = await call("change_steps", {
      workflow_id,
      put: { first: log("One", "second"), second: { type: "final" } },
      inside: "each",
    });
    expect(changed).toMatchObject({ valid: true });
    const { outline } = await call("read_steps", { workflow_id });
    expect(outline.map(({ step, inside = null }: Answer) => [step, inside])).toEqual([
      ["each", null],
      ["first", "each"],
      ["second", "each"],
      ["done", null],
    ]);
  });

  it("has one name for each id, and a word on chains where they look alike", async () => {
    const client = await endpoint.connect("oven");
    const { tools } = await client.listTools();
    expect(JSON.stringify(tools).length).toBeLessThan(80_000);
    for (const { name, title, inputSchema } of tools) {
      const ids = Object.keys(inputSchema.properties ?? {}).filter((key) => /^id$|[a-z]Id$|^workflow$/.test(key));
      expect(ids, name).toEqual([]);
      if (/workflow(s|_run)?$|failed_runs$/.test(name) && !name.includes("agent")) expect(title).toContain("hain");
    }
    expect(client.getInstructions()).toMatch(/version "current"[\s\S]*before answer_review[\s\S]*Executor chains/);
  });

  it("keeps test data, and tries a draft out with it, with pins and in part", async () => {
    const { call } = await startBuilder();
    const { workflow_id } = await call("create_agent_workflow", { name: "Tried out", definition: TRIAGE });
    const input = { from: "ada@example.com", subject: "Hello", text: "It is fine." };
    const pins = {
      classify: { text: "", toolCalls: [], finishReason: "stop", object: { kind: "other", summary: "s" } },
    };
    expect(await call("set_test_data", { workflow_id, inputs: { fine: input }, pins })).toEqual({
      inputs: { fine: input },
      pinned_steps: ["classify"],
    });
    const tried = await call("test_agent_workflow", { workflow_id, input_name: "fine", pins });
    expect(tried).toMatchObject({ status: "completed", output: { kind: "other" } });
    expect(tried.steps.map(({ step }: Answer) => step)).not.toContain("review");
    const part = await call("test_agent_workflow", { workflow_id, input, until: "classify" });
    expect(part).toMatchObject({ outcome: "partial", output: { object: { kind: "complaint" } } });
    expect(await call("set_test_data", { workflow_id, inputs: { fine: null }, pins: { classify: null } })).toEqual({
      inputs: {},
      pinned_steps: [],
    });
  });

  it("changes names at once and definitions as a draft, and loses nobody's newer draft", async () => {
    const builder = await startBuilder();
    const { call } = builder;
    const { workflow_id } = await call("create_agent_workflow", { name: "First", definition: TRIAGE });
    expect(await call("update_agent_workflow", { workflow_id, name: "Second" })).toMatchObject({
      published_version: null,
      draft_revision: 1,
    });
    expect(await call("get_agent_workflow", { workflow_id })).toMatchObject({ name: "Second", definition: TRIAGE });
    await call("update_agent_workflow", { workflow_id, draft_revision: 1, definition: TRIAGE });
    expect(builder.errors).toEqual([]);
    await call("update_agent_workflow", { workflow_id, draft_revision: 1, definition: TRIAGE });
    await call("publish_agent_workflow", { workflow_id, draft_revision: 1 });
    expect(builder.errors).toEqual([expect.stringContaining("STALE_DRAFT"), expect.stringContaining("STALE_DRAFT")]);
    // Nothing is published yet that could be run, or be started by a trigger.
    await call("execute_agent_workflow", { workflow_id });
    await call("create_trigger", { type: "manual", name: "Too early", workflow_id });
    for (const error of builder.errors.splice(2)) expect(error).toContain("has been published yet");
    expect(builder.errors).toHaveLength(2);
    // A draft may be unfinished; it is not published.
    const unfinished = { initial: "a", states: { a: { invoke: { src: "agent.lm" } } } };
    const saved = await call("update_agent_workflow", { workflow_id, definition: unfinished });
    expect(saved).toMatchObject({ draft_revision: 3, valid: false });
    await call("publish_agent_workflow", { workflow_id, draft_revision: 3 });
    expect(builder.errors.at(-1)).toContain("INVALID_DEFINITION");
  });

  it("evaluates a published version with a dataset", async () => {
    const { call } = await startBuilder();
    const { datasets } = await call("list_eval_datasets", {});
    expect(datasets).toMatchObject([{ slug: "order-triage", cases: 3 }]);
    const { eval_run_id } = await call("run_eval", { dataset_id: datasets[0].dataset_id });
    await expect
      .poll(async () => call("get_eval_run", { eval_run_id }), { timeout: 30_000 })
      .toMatchObject({ status: "completed", cases: 3 });
  });
});
