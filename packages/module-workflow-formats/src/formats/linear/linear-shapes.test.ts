import type { LinearInstance, LinearStepInstance } from "@oven/contract/formats/linear.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LinearStory, MODEL, startLinear } from "./testing/linear-story.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const uuid = expect.stringMatching(UUID);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);

describe("a run and what it leaves, field by field", () => {
  let story: LinearStory;
  let run: LinearInstance;
  let workflow: string;
  let event: string;
  let llm: { uuid: string; container: string };
  let agent: { uuid: string; container: string };
  let checker: string;
  let owner: string;

  beforeAll(async () => {
    story = await startLinear();
    const made = await story.workflow("Shapes");
    workflow = made.uuid;
    owner = made.user_id;
    event = (await story.client.trigger.getForWorkflow(workflow))?.output_datacontainer_uuid ?? "";
    llm = await story.addStep(made, "custom_llm", "Shaped LLM", `Read <<data.${event}>>`);
    agent = await story.addStep(made, "custom_agent", "Shaped agent", `Label <<data.${llm.container}>>`, {
      "mail.addLabel": { enabled: true },
    });
    checker = (await story.client.workflow.addNewStep(workflow, "stop_checker", "Shaped check")).steps[2] ?? "";
    const empty = await story.client.checker.get(checker);
    if (empty === null) throw new Error("no checker");
    const condition = {
      datacontainer_definition_uuid: event,
      extraction_json_path: "$[0]",
      operator: "equals" as const,
    };
    await story.client.checker.save({ ...empty, stop_conditions: [{ ...condition, target_value: "stop" }] });
    const toolCalls = [{ id: "c1", name: "mail_addLabel", arguments: { label: "x" } }];
    story.answers.push({ text: "# Read" }, { toolCalls }, { text: "Labelled" });
    run = await story.run(await story.client.workflow.update(workflow, {}), ["a", "list"]);
  });
  afterAll(() => story.oven.stop());

  const step = (place: number): LinearStepInstance => {
    const found = run.step_instances[place];
    if (found === undefined) throw new Error("no such step");
    return found;
  };

  it("is the run [000-007] [000-126] [000-127] [000-128] [000-129] [000-130] [000-131] [000-132] [000-133] [000-169]", async () => {
    expect(run).toEqual({
      uuid,
      user_id: owner,
      workflow_definition_uuid: workflow,
      status: "completed",
      stop_reason: null,
      error_message: null,
      triggering_data: ["a", "list"],
      step_instances: expect.any(Array),
      execution_id: expect.any(Number),
      created_at: time,
      updated_at: time,
    });
    expect(run.step_instances.map(({ type }) => type)).toEqual(["custom_llm", "custom_agent", "stop_checker"]);
    expect(Date.parse(run.updated_at)).toBeGreaterThan(Date.parse(run.created_at));
    const again = await story.run(await story.client.workflow.update(workflow, {}), "plain text");
    expect(again).toMatchObject({ triggering_data: "plain text", status: "completed" });
    const [first, second] = await Promise.all([run, again].map((one) => story.client.workflow.listData(one.uuid)));
    expect(first?.[0]?.datacontainer_uuid).toBe(second?.[0]?.datacontainer_uuid);
    expect(first?.[0]?.uuid).not.toBe(second?.[0]?.uuid);
    expect(await story.client.workflow.getInstance(workflow)).toBeNull();
  });

  it("is an LLM step [000-010] [000-011] [000-079] [000-080] [000-081] [000-091] [000-092] [000-093] [000-095] [000-096] [000-098] [000-099] [000-100] [000-101] [000-102]", async () => {
    const [, data] = await story.client.workflow.listData(run.uuid);
    expect(step(0)).toEqual({
      uuid,
      user_id: owner,
      workflow_instance_uuid: run.uuid,
      type: "custom_llm",
      status: "completed",
      started_at: time,
      finished_at: time,
      error_message: null,
      created_at: time,
      llm_definition_uuid: llm.uuid,
      messages: [
        { role: "system", content: 'Read ["a","list"]', tool_calls: null },
        { role: "user", content: "Execute your task.", tool_calls: null },
        { role: "assistant", content: "# Read", tool_calls: null },
      ],
      input_data: { [event]: ["a", "list"] },
      output_container_instance_uuid: data?.uuid,
    });
    expect(await story.client.llm.get(llm.uuid)).not.toBeNull();
  });

  it("is an agent step, with its calls and their results [000-082] [000-103] [000-104] [000-105] [000-107] [000-108] [000-109] [000-110] [000-111] [000-112] [000-113] [000-114]", async () => {
    const [, read, labelled] = await story.client.workflow.listData(run.uuid);
    expect(step(1)).toEqual({
      uuid,
      user_id: owner,
      workflow_instance_uuid: run.uuid,
      type: "custom_agent",
      status: "completed",
      started_at: time,
      finished_at: time,
      error_message: null,
      created_at: time,
      agent_definition_uuid: agent.uuid,
      messages: [
        { role: "system", content: `Label {"uuid":"${read?.uuid}","summary":"In short."}`, tool_calls: null },
        { role: "user", content: "Execute your task.", tool_calls: null },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "mail.addLabel", arguments: '{"label":"x"}' } }],
        },
        { role: "tool", content: expect.stringContaining("done"), tool_calls: null, tool_call_id: "c1" },
        { role: "assistant", content: "Labelled", tool_calls: null },
      ],
      input_data: { [llm.container]: { uuid: read?.uuid, summary: "In short." } },
      output_container_instance_uuid: labelled?.uuid,
    });
  });

  it("is a checker [000-115] [000-116] [000-117] [000-119] [000-120] [000-121] [000-122] [000-123]", () => {
    expect(step(2)).toEqual({
      uuid,
      user_id: owner,
      workflow_instance_uuid: run.uuid,
      type: "stop_checker",
      status: "completed",
      started_at: time,
      finished_at: time,
      error_message: null,
      created_at: time,
      checker_definition_uuid: checker,
      input_data: { results: [expect.objectContaining({ path: "$[0]", value: "a", target: "stop", met: false })] },
    });
  });

  it("is data [000-083] [000-084] [000-085] [000-086] [000-087] [000-090]", async () => {
    const data = await story.client.workflow.listData(run.uuid);
    const base = {
      uuid,
      user_id: owner,
      workflow_instance_uuid: run.uuid,
      generated_summary: "In short.",
      created_at: time,
    };
    expect(data).toEqual([
      {
        ...base,
        datacontainer_uuid: event,
        step_instance_uuid: null,
        raw_data: ["a", "list"],
        markdown_representation: null,
      },
      {
        ...base,
        datacontainer_uuid: llm.container,
        step_instance_uuid: step(0).uuid,
        raw_data: "# Read",
        markdown_representation: "# Read",
      },
      {
        ...base,
        datacontainer_uuid: agent.container,
        step_instance_uuid: step(1).uuid,
        raw_data: "Labelled",
        markdown_representation: "Labelled",
      },
    ]);
  });

  it.each([
    ["llm", "custom_llm"],
    ["agent", "custom_agent"],
    ["checker", "stop_checker"],
  ] as const)("has five states for a step of %s [000-094] [000-106] [000-118]", async (group, type) => {
    const own =
      group === "checker"
        ? await story.client.checker.create("states", [])
        : await story.client[group].create(`states of ${group}`, MODEL, "x");
    const pending = await story.client[group].createInstance(run.uuid, own.uuid);
    for (const status of ["pending", "running", "completed", "failed", "skipped"] as const)
      expect(await story.client[group].saveInstance({ ...pending, status })).toMatchObject({ status, type });
    await expect(story.client[group].saveInstance({ ...pending, status: "done" as never })).rejects.toMatchObject({
      status: 400,
    });
  });

  it("is listed with the other runs of its workflow, and no others [000-170]", async () => {
    const other = await story.workflow("Other shapes");
    await story.run(other, 1);
    const listed = await story.client.workflow.listInstances(workflow);
    expect(listed.map((one) => one.uuid)).toContain(run.uuid);
    expect(new Set(listed.map((one) => one.workflow_definition_uuid))).toEqual(new Set([workflow]));
  });

  it("is stored in rows with the columns of the document [000-245] [000-246] [000-247] [000-248] [000-249] [000-250] [000-251] [000-252] [000-253] [000-254] [000-255] [000-256] [000-257] [000-258] [000-259] [000-260] [000-261] [000-262] [000-263] [000-264] [000-265] [000-266] [000-267] [000-268] [000-269] [000-270] [000-271] [000-272] [000-273] [000-274] [000-275] [000-276] [000-277] [000-278] [000-279] [000-280] [000-281] [000-282] [000-283] [000-284] [000-285] [000-286] [000-287] [000-288] [000-289] [000-290] [000-291] [000-292] [000-293] [000-294] [000-295] [000-296]", async () => {
    const rows = (table: string) => story.client.workflow.listRows(workflow, table);
    const times = { created_at: time, updated_at: time };
    expect(await rows("workflows")).toEqual([
      {
        uuid: workflow,
        user_id: owner,
        name: "Shapes",
        description: "A test",
        is_active: true,
        trigger_uuid: uuid,
        steps: [llm.uuid, agent.uuid, checker],
        ...times,
      },
    ]);
    const [first, second, third] = await rows("workflow_steps");
    const ofModels = {
      description: "",
      model: MODEL,
      output_datacontainer_uuid: uuid,
      generated_summary: expect.anything(),
    };
    expect(first).toEqual({
      uuid: llm.uuid,
      user_id: owner,
      name: "Shaped LLM",
      type: "custom_llm",
      details: {
        ...ofModels,
        system_prompt: `Read <<data.${event}>>`,
        generated_summary: first?.details && expect.anything(),
      },
      ...times,
    });
    expect(second).toMatchObject({ type: "custom_agent", details: { tools: { "mail.addLabel": { enabled: true } } } });
    expect(third).toEqual({
      uuid: checker,
      user_id: owner,
      name: "Shaped check",
      type: "stop_checker",
      details: { description: "", stop_conditions: [expect.objectContaining({ target_value: "stop" })] },
      ...times,
    });
    expect(await rows("data_containers")).toEqual(
      expect.arrayContaining(
        [event, llm.container, agent.container].map((one) => ({ uuid: one, user_id: owner, name: expect.any(String) })),
      ),
    );
    expect(await rows("triggers")).toEqual([
      {
        uuid,
        user_id: owner,
        workflow_uuid: workflow,
        details: {
          type: "manual",
          config: {},
          filter_rules: {},
          output_datacontainer_uuid: event,
          initial_data_description: expect.any(String),
        },
        ...times,
      },
    ]);
    expect((await rows("workflow_instances")).at(-1)).toEqual({
      uuid: run.uuid,
      user_id: owner,
      workflow_definition_uuid: workflow,
      status: "completed",
      triggering_data: ["a", "list"],
      ...times,
    });
    const stepRows = (await rows("workflow_step_instances"))
      .filter((row) => row.workflow_instance_uuid === run.uuid)
      .slice(0, 3);
    expect(stepRows.map((row) => row.step_definition_uuid)).toEqual([llm.uuid, agent.uuid, checker]);
    expect(stepRows[0]).toEqual({
      uuid: step(0).uuid,
      user_id: owner,
      workflow_instance_uuid: run.uuid,
      step_definition_uuid: llm.uuid,
      status: "completed",
      started_at: time,
      finished_at: time,
      details: { messages: expect.any(Array), error_message: null, input_data: { [event]: ["a", "list"] } },
      output_container_instance_uuid: uuid,
    });
    const data = (await rows("data_container_instances")).filter((row) => row.workflow_instance_uuid === run.uuid);
    expect(data[1]).toEqual({
      uuid,
      user_id: owner,
      workflow_instance_uuid: run.uuid,
      datacontainer_uuid: llm.container,
      step_instance_uuid: step(0).uuid,
      raw_data: "# Read",
      markdown_representation: "# Read",
      generated_summary: "In short.",
    });
    // A user of the body is nobody: the signed-in one counts.
    const saved = await story.oven.call("PUT", `linear-workflows/${workflow}`, { name: "x", user_id: owner });
    expect(saved.status).toBe(400);
  });
});
