import type { JsonObject } from "@oven/contract";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type LinearStory, MODEL, startLinear } from "./testing/linear-story.ts";

let story: LinearStory;
beforeAll(async () => {
  story = await startLinear();
});
afterEach(() => {
  story.oven.server.requests.length = 0;
  story.answers.length = 0;
});
afterAll(() => story.oven.stop());

const triggerContainer = async (uuid: string) =>
  (await story.client.trigger.getForWorkflow(uuid))?.output_datacontainer_uuid ?? "";

describe("a run of a linear workflow", () => {
  it("goes step by step, each reads what any earlier one wrote, and each output is kept [000-001] [000-003] [000-004] [000-009] [000-015] [000-017] [000-219] [000-221] [000-223] [000-224] [000-227] [000-236] [000-239]", async () => {
    const workflow = await story.workflow("Four steps");
    const event = await triggerContainer(workflow.uuid);
    const first = await story.addStep(workflow, "custom_llm", "First", `One: <<data.${event}>>!`);
    await story.addStep(workflow, "custom_llm", "Second", "Two, alone");
    await story.addStep(workflow, "custom_llm", "Third", "Three, alone");
    await story.addStep(
      workflow,
      "custom_llm",
      "Fourth",
      `Four reads <<data.${first.container}>> and <<data.${event}>>.`,
    );
    story.answers.push({ text: "alpha" }, { text: "beta" }, { text: "gamma" }, { text: "delta" });
    const run = await story.run(workflow, { subject: "Hello" });
    expect(run).toMatchObject({ status: "completed", triggering_data: { subject: "Hello" } });
    expect(run.step_instances.map(({ status }) => status)).toEqual(Array(4).fill("completed"));
    const starts = run.step_instances.map(({ started_at }) => started_at ?? "");
    const ends = run.step_instances.map(({ finished_at }) => finished_at ?? "");
    for (let place = 1; place < 4; place++)
      expect(Date.parse(starts[place] ?? "")).toBeGreaterThanOrEqual(Date.parse(ends[place - 1] ?? ""));
    expect(story.asked().map(({ system }) => system)).toEqual([
      'One: {"subject":"Hello"}!',
      "Two, alone",
      "Three, alone",
      'Four reads alpha and {"subject":"Hello"}.',
    ]);
    const data = await story.client.workflow.listData(run.uuid);
    expect(data).toHaveLength(5);
    expect(data[0]).toMatchObject({
      datacontainer_uuid: event,
      step_instance_uuid: null,
      raw_data: { subject: "Hello" },
    });
    expect(data[1]).toMatchObject({
      datacontainer_uuid: first.container,
      raw_data: "alpha",
      step_instance_uuid: run.step_instances[0]?.uuid,
    });
    expect(run.updated_at >= (ends[3] ?? "")).toBe(true);
  });

  it("gives an LLM step no tools and its whole data, an agent step a reference it can follow, in this run only [000-040] [000-049] [000-052] [000-222] [000-225] [000-226]", async () => {
    const workflow = await story.workflow("Agents");
    const event = await triggerContainer(workflow.uuid);
    await story.addStep(workflow, "custom_llm", "Reader", `Read <<data.${event}>>`);
    await story.addStep(workflow, "custom_agent", "Labeller", `Label <<data.${event}>>`, {
      "mail.addLabel": { enabled: true },
      "linear.list": { enabled: false },
    });
    const long = "A very long text. ".repeat(100);
    const before = await story.run(await story.workflow("Another"), "other data");
    const [other] = await story.client.workflow.listData(before.uuid);
    story.oven.server.requests.length = 0;
    const call = (name: string, args: JsonObject, id: string) => ({ toolCalls: [{ id, name, arguments: args }] });
    const reference = (body: string) => /uuid\\":\\"([0-9a-f-]+)/.exec(body)?.[1] ?? "";
    story.answers.push(
      { text: "read" },
      (body) => call("data_get", { uuid: reference(body) }, "c1"),
      call("mail_addLabel", { label: "long" }, "c2"),
      call("data_get", { uuid: other?.uuid ?? "" }, "c3"),
      { text: "labelled" },
    );
    const run = await story.run(workflow, long);
    const [own] = await story.client.workflow.listData(run.uuid);
    expect(run.status).toBe("completed");
    const [reader, agent, second, , last] = story.asked();
    expect(reader).toMatchObject({ system: `Read ${long}`, tools: [] });
    expect(agent?.system).toMatch(`Label {"uuid":"${own?.uuid}","summary":"In short."}`);
    expect(agent?.tools.sort()).toEqual(["data_get", "mail_addLabel"]);
    expect(second?.body).toContain(long.slice(0, 100));
    expect(last?.body).not.toContain("other data");
    expect(story.oven.labels).toEqual(["long"]);
    const [, labeller] = run.step_instances;
    expect(labeller).toMatchObject({
      type: "custom_agent",
      input_data: { [event]: { uuid: own?.uuid, summary: "In short." } },
    });
    if (labeller?.type !== "custom_agent") throw new Error("no agent step");
    expect(labeller.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
    ]);
    const refused = labeller.messages.find(({ tool_call_id }) => tool_call_id === "c3");
    expect(refused?.content).toMatch(/error.*data instance .* does not exist/);
    expect(labeller.messages[2]).toMatchObject({
      content: null,
      tool_calls: [{ id: "c1", function: { name: "data.get" } }],
    });
  });

  it("hands content on as it is, once: placeholders and templates in it stay text [000-016] [000-020] [000-021]", async () => {
    const workflow = await story.workflow("Text");
    const event = await triggerContainer(workflow.uuid);
    const nasty = `<<data.${event}>> {{ $.data }} $previous_output $.x \\{{ y }}`;
    await story.addStep(
      workflow,
      "custom_llm",
      "Verbatim",
      `{{ $.secret }} <<data.${event}>> and <<data.${event}>>, {{x}}`,
    );
    for (const text of [nasty, "second run"]) await story.run(workflow, text);
    expect(story.asked().map(({ system }) => system)).toEqual([
      `{{ $.secret }} ${nasty} and ${nasty}, {{x}}`,
      "{{ $.secret }} second run and second run, {{x}}",
    ]);
  });

  it("shows later steps the newest version of a container; older ones stay readable [000-012] [000-013] [000-014]", async () => {
    const workflow = await story.workflow("Versions");
    const one = await story.addStep(workflow, "custom_llm", "Writes first", "one");
    const two = await story.addStep(workflow, "custom_llm", "Writes again", "two");
    await story.addStep(workflow, "custom_llm", "Reads", `Now: <<data.${one.container}>>`);
    const step = await story.client.llm.get(two.uuid);
    if (step !== null) await story.client.llm.save({ ...step, output_datacontainer_uuid: one.container });
    story.answers.push({ text: "old" }, { text: "new" });
    const run = await story.run(workflow, null);
    expect(run.error_message).toBeNull();
    expect(story.asked()[2]?.system).toBe("Now: new");
    const versions = (await story.client.workflow.listData(run.uuid)).filter(
      (row) => row.datacontainer_uuid === one.container,
    );
    expect(versions.map(({ raw_data }) => raw_data)).toEqual(["old", "new"]);
    expect(await story.client.dataContainer.resolveDataFromRun(run.uuid, one.container, "uncompressed")).toBe("new");
  });

  it("stops at a met condition, calls no model any more, and says what it compared [000-228] [000-229] [000-230] [000-235] [000-059] [000-124] [000-125]", async () => {
    const workflow = await story.workflow("Stops");
    const first = await story.addStep(workflow, "custom_llm", "Kind", "kind?");
    const condition = (path: string, operator: "equals" | "greater_than", target: never) => ({
      datacontainer_definition_uuid: first.container,
      extraction_json_path: path,
      operator,
      target_value: target,
    });
    const added = await story.client.workflow.addNewStep(workflow.uuid, "stop_checker", "Newsletter?");
    const checker = await story.client.checker.get(added.steps[1] ?? "");
    if (checker === null) throw new Error("no checker");
    await story.client.checker.save({
      ...checker,
      stop_conditions: [
        condition("$.n", "greater_than", 5 as never),
        condition("$.kind", "equals", "newsletter" as never),
      ],
    });
    await story.addStep(workflow, "custom_llm", "After", "after");
    story.answers.push({ text: '{"kind":"newsletter","n":1}' });
    const stopped = await story.run(workflow, "x");
    expect(stopped).toMatchObject({ status: "stopped", stop_reason: "condition" });
    expect(story.asked()).toHaveLength(1);
    expect(stopped.step_instances.map(({ status }) => status)).toEqual(["completed", "completed", "skipped"]);
    const check = stopped.step_instances[1];
    expect(check?.input_data).toMatchObject({
      results: [
        { path: "$.n", value: 1, met: false },
        { path: "$.kind", value: "newsletter", met: true },
      ],
    });
    expect(Object.keys(check ?? {})).not.toContain("messages");
    expect(Object.keys(check ?? {})).not.toContain("output_container_instance_uuid");
    expect(await story.client.workflow.listData(stopped.uuid)).toHaveLength(2);
    story.answers.push({ text: '{"kind":"personal","n":1}' });
    const went = await story.run(workflow, "x");
    expect(went.status).toBe("completed");
    expect(story.asked()).toHaveLength(3);
  });

  it("runs in the background: asked at once, running while the model thinks, and cancelled whenever one wants [000-168] [000-171] [000-172] [000-217] [000-218] [000-220] [000-237] [000-244]", async () => {
    const workflow = await story.workflow("Slow");
    await story.addStep(workflow, "custom_llm", "Thinks", "think");
    await story.addStep(workflow, "custom_llm", "Later", "later");
    const held = Promise.withResolvers<void>();
    story.answers.push({ text: "thought", gate: { after: 0, opened: held.promise } });
    const run = await story.client.workflow.createInstance(workflow.uuid, "go");
    expect(run.status).toBe("running");
    await expect.poll(() => story.asked().length).toBe(1);
    const during = await story.client.workflow.getInstance(run.uuid);
    expect(during?.step_instances.map(({ status }) => status)).toEqual(["running", "pending"]);
    expect(during?.step_instances[0]).toMatchObject({ started_at: expect.any(String), finished_at: null });
    const [data] = await story.client.workflow.listData(run.uuid);
    expect(data).toMatchObject({ step_instance_uuid: null, raw_data: "go", generated_summary: "In short." });
    expect(Date.parse(data?.created_at ?? "")).toBeLessThanOrEqual(
      Date.parse(during?.step_instances[0]?.started_at ?? ""),
    );
    const cancelled = await story.client.workflow.cancelInstance(run.uuid);
    expect(cancelled).toMatchObject({ status: "stopped", stop_reason: "cancelled" });
    held.resolve();
    expect((await story.settle(run)).step_instances.map(({ status }) => status)).toEqual(["skipped", "skipped"]);
    expect(story.asked()).toHaveLength(1);
    expect(await story.client.workflow.cancelInstance(run.uuid)).toMatchObject({ status: "stopped" });
    const done = await story.run(await story.workflow("Done at once"), 1);
    await expect(story.client.workflow.cancelInstance(done.uuid)).rejects.toMatchObject({
      code: "ALREADY_ENDED",
      status: 409,
    });
    expect((await story.client.workflow.getInstance(done.uuid))?.status).toBe("completed");
  });

  it("fails with the step that failed; later ones never start [000-097] [000-238]", async () => {
    const workflow = await story.workflow("Fails");
    await story.addStep(workflow, "custom_llm", "Breaks", "break");
    await story.addStep(workflow, "custom_llm", "Never", "never");
    story.answers.push({ status: 400, message: "the model says no" });
    const run = await story.run(workflow, "x");
    expect(run).toMatchObject({ status: "failed", error_message: expect.stringContaining("the model says no") });
    expect(run.step_instances.map(({ status, error_message }) => [status, error_message !== null])).toEqual([
      ["failed", true],
      ["skipped", false],
    ]);
    expect(story.asked()).toHaveLength(1);
  });

  it("is started by its trigger where the event matches its rules; the others are logged with the reason [000-002] [000-008] [000-064] [000-074] [000-167] [000-202] [000-214] [000-215] [000-216]", async () => {
    const { uuid } = await story.client.workflow.create("On events", "Starts by itself");
    await story.client.workflow.setTrigger(uuid, "webhook");
    const trigger = await story.client.trigger.getForWorkflow(uuid);
    if (trigger === null) throw new Error("no trigger");
    const row = async () => {
      const { body } = await story.oven.call("GET", `triggers?range=[0,99]`);
      return (body as { id: number; name: string; token: string }[]).find(({ name }) => name === "On events");
    };
    const deliver = async (payload: object) => {
      const token = (await row())?.token;
      return story.oven.handle(
        new Request(`http://localhost:3000/api/hooks/${token}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(payload),
        }),
      );
    };
    const runs = () => story.client.workflow.listInstances(uuid);
    const deliveries = async () => {
      const filter = encodeURIComponent(JSON.stringify({ triggerId: (await row())?.id }));
      const { body } = await story.oven.call(
        "GET",
        `trigger-deliveries?filter=${filter}&sort=${encodeURIComponent('["id","ASC"]')}`,
      );
      return body as { decision: string; reason: string | null }[];
    };
    expect((await deliver({ body: { from: "ann" } })).status).toBe(202);
    await expect.poll(async () => (await runs()).length).toBe(1);
    const [first] = await runs();
    expect(first?.triggering_data).toMatchObject({ body: { body: { from: "ann" } } });
    const rules = { "body.body.from": "ann", "body.body.size": { operator: "greater_than", value: 10 } };
    await story.client.trigger.save({ ...trigger, filter_rules: rules });
    await deliver({ body: { from: "ann", size: 5 } });
    await deliver({ body: { from: "ann", size: 50 } });
    await expect
      .poll(async () => (await deliveries()).map(({ decision }) => decision))
      .toEqual(["started", "filtered", "started"]);
    expect((await deliveries())[1]?.reason).toContain("filter said no");
    expect(await runs()).toHaveLength(2);
    await story.client.workflow.update(uuid, { is_active: false });
    await deliver({ body: { from: "ann", size: 50 } });
    await expect.poll(async () => (await deliveries()).at(-1)?.decision).toBe("skipped");
    const token = (await row())?.token;
    await story.client.workflow.removeTrigger(uuid);
    expect(await row()).toBeUndefined();
    const gone = await story.oven.handle(
      new Request(`http://localhost:3000/api/hooks/${token}`, { method: "POST", body: "{}" }),
    );
    expect(gone.status).toBe(404);
    expect(await runs()).toHaveLength(2);
  });

  it("is refused with everything that is missing, naming steps, places and ids [000-022] [000-023] [000-036] [000-058]", async () => {
    const { uuid } = await story.client.workflow.create("Unfinished", "");
    const bare = await story.client.workflow.get(uuid);
    if (bare === null) throw new Error("no workflow");
    const one = await story.addStep(bare, "custom_llm", "One", "fine");
    const two = await story.addStep(bare, "custom_llm", "Two", `see <<data.${one.container}>>`);
    await story.client.workflow.addNewStep(uuid, "stop_checker", "Empty checker");
    const unknown = "11111111-2222-4333-8444-555555555555";
    const lost = await story.addStep(bare, "custom_llm", "Lost", `ask <<data.${unknown}>>`);
    const step = await story.client.llm.get(lost.uuid);
    if (step !== null) await story.client.llm.save({ ...step, model: "nobody:knows" });
    const { steps } = await story.client.workflow.addNewStep(uuid, "custom_agent", "Blank");
    await story.client.workflow.reorderSteps(uuid, [two.uuid, one.uuid, ...steps.slice(2)]);
    const messages = (await story.client.workflow.problems(uuid)).map(({ message }) => message);
    expect(messages).toEqual([
      "The workflow has no trigger",
      `Two reads <<data.${one.container}>> at character 4, which One writes only later`,
      "Empty checker has no stop condition",
      expect.stringMatching(/^Lost: .*nobody/),
      `Lost reads <<data.${unknown}>> at character 4, a data container that does not exist`,
      "Blank has no system prompt",
    ]);
    await expect(story.client.workflow.createInstance(uuid, 1)).rejects.toMatchObject({
      code: "WORKFLOW_INCOMPLETE",
      status: 422,
      details: { problems: expect.arrayContaining([expect.objectContaining({ step_uuid: lost.uuid })]) },
    });
    expect(await story.client.workflow.listInstances(uuid)).toEqual([]);
  });

  it("keeps large data byte for byte, with a summary of its Markdown where there is some [000-088] [000-089] [000-205] [000-206] [000-207] [000-210] [000-211] [000-212] [000-213]", async () => {
    const workflow = await story.workflow("Large");
    const text = "ä\u{1F9F9}x".repeat(900_000);
    const run = await story.run(workflow, text);
    const [kept] = await story.client.workflow.listData(run.uuid);
    expect(kept?.raw_data).toBe(text);
    const { dataContainer } = story.client;
    const container = await dataContainer.create();
    await expect(dataContainer.resolveDataFromRun(run.uuid, container.uuid, "compressed")).rejects.toMatchObject({
      code: "DATA_MISSING",
      message: expect.stringContaining(container.uuid),
    });
    await expect(dataContainer.resolveDataFromRun(run.uuid, container.uuid, "compressed")).rejects.toThrow(run.uuid);
    await dataContainer.createInstance(run.uuid, container.uuid, { raw: "first" });
    const second = await dataContainer.createInstance(
      run.uuid,
      container.uuid,
      { raw: "second" },
      { markdown: "# Second" },
    );
    expect(story.summarised()).toEqual(expect.arrayContaining(['{"raw":"first"}', "# Second"]));
    expect(second).toMatchObject({ generated_summary: "In short.", markdown_representation: "# Second" });
    expect(await dataContainer.getInstance(second.uuid)).toEqual(second);
    expect(await dataContainer.resolveDataFromRun(run.uuid, container.uuid, "uncompressed")).toBe("# Second");
    expect(await dataContainer.resolveDataFromRun(run.uuid, container.uuid, "compressed")).toEqual({
      uuid: second.uuid,
      summary: "In short.",
    });
  });
});

describe("summaries of steps", () => {
  it("are written after the prompt or the tools changed, not before the answer, and not for a new name [000-039] [000-051] [000-240] [000-241] [000-242] [000-243]", async () => {
    const { agent } = story.client;
    const made = await agent.create("Summarised", MODEL, "Label mails.");
    expect(made.generated_summary).toBeNull();
    const summary = async () => (await agent.get(made.uuid))?.generated_summary ?? null;
    await expect.poll(summary).toContain("step:");
    const asked = () => story.stepsSummarised().length;
    const before = asked();
    await agent.save({ ...made, name: "Renamed", description: "New words" });
    await agent.save({ ...made, tools: { "mail.addLabel": { enabled: true } } });
    await expect.poll(asked).toBe(before + 1);
    expect(story.stepsSummarised().at(-1)).toContain("Tools: mail.addLabel");
    const [one, two] = ["First change", "Second change"];
    await Promise.all([agent.save({ ...made, system_prompt: one }), Promise.resolve()]);
    await agent.save({ ...made, system_prompt: two });
    await expect.poll(() => story.stepsSummarised().at(-1)).toContain(two);
    const length = story.oven.server.requests
      .map(({ body }) => JSON.stringify(body))
      .findLast((text) => text.includes(two))?.length;
    await expect.poll(summary).toBe(`step: ${length}`);
  });
});
