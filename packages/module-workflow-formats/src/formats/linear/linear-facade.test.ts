import type { CustomAgent, LinearStep, LinearWorkflow } from "@oven/contract/formats/linear.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LinearStory, MODEL, startLinear } from "./testing/linear-story.ts";

let story: LinearStory;
beforeAll(async () => {
  story = await startLinear();
});
afterAll(() => story.oven.stop());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NOBODY = "11111111-2222-4333-8444-555555555555";
const TYPES = ["custom_llm", "custom_agent", "stop_checker"] as const;
const refused = (work: Promise<unknown>, error: object) => expect(work).rejects.toMatchObject(error);

describe("linear workflows", () => {
  it("are made empty, active and without a trigger, under the fields of the document [000-060] [000-061] [000-062] [000-063] [000-065] [000-066] [000-067] [000-068] [000-069] [000-070] [000-150] [000-151] [000-153]", async () => {
    const { workflow } = story.client;
    const made = await workflow.create("Empty", "Nothing yet");
    expect(made).toEqual({
      uuid: expect.stringMatching(UUID),
      user_id: expect.stringMatching(UUID),
      name: "Empty",
      description: "Nothing yet",
      is_active: true,
      trigger_uuid: null,
      steps: [],
      template_id: null,
      template_version: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await workflow.get(made.uuid)).toEqual(made);
    expect(await workflow.get(NOBODY)).toBeNull();
    const other = story.clientFor(await story.oven.keyFor("admin"));
    expect(await other.workflow.get(made.uuid)).toBeNull();
    expect(await other.workflow.list()).toEqual([]);
    expect((await workflow.list()).map(({ uuid }) => uuid)).toContain(made.uuid);
    const changed = await workflow.update(made.uuid, {
      name: "Renamed",
      template_id: "t",
      template_version: "2",
      is_active: false,
    });
    expect(changed).toMatchObject({
      name: "Renamed",
      template_id: "t",
      template_version: "2",
      is_active: false,
      created_at: made.created_at,
    });
    expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(made.updated_at));
    await refused(
      story.oven.call("POST", "linear-workflows", { name: "x" }).then(({ body }) => Promise.reject(body.error)),
      {
        path: expect.stringContaining("description"),
      },
    );
  });

  it("answer with the whole workflow after each change of structure, and with all of it in one call [000-005] [000-006] [000-134] [000-135] [000-136] [000-137] [000-138] [000-139] [000-140] [000-141] [000-142] [000-143] [000-144] [000-145] [000-146] [000-152] [000-156] [000-157] [000-158] [000-159]", async () => {
    const { workflow } = story.client;
    const { uuid } = await workflow.create("Structure", "");
    const same = async (changed: LinearWorkflow) => expect(await workflow.get(uuid)).toEqual(changed);
    for (const [type, name, position] of [
      ["custom_llm", "B", -1],
      ["custom_agent", "A", 0],
      ["stop_checker", "M", 1],
    ] as const)
      await same(await workflow.addNewStep(uuid, type, name, position));
    const details = await workflow.getWithDetails(uuid);
    expect(details?.steps.map(({ name, type }) => [name, type])).toEqual([
      ["A", "custom_agent"],
      ["M", "stop_checker"],
      ["B", "custom_llm"],
    ]);
    const { trigger_uuid: _, steps, ...fields } = (await workflow.get(uuid)) as LinearWorkflow; // cast: it was just made
    expect(details).toEqual({ ...fields, trigger: null, steps: details?.steps });
    expect(details?.steps.map((step) => step.uuid)).toEqual(steps);
    for (const position of [4, -2])
      await refused(workflow.addNewStep(uuid, "custom_llm", "Out", position), {
        status: 400,
        fix: expect.stringContaining("0 to 3"),
      });
    await refused(workflow.addNewStep(uuid, "python" as never, "P"), {
      status: 400,
      message: expect.stringMatching(/custom_llm.*custom_agent.*stop_checker/),
    });
    expect((await workflow.get(uuid))?.steps).toEqual(steps);
    expect(await workflow.getWithDetails(NOBODY)).toBeNull();
    await same(await workflow.setTrigger(uuid, "manual"));
    expect((await workflow.getWithDetails(uuid))?.trigger).toMatchObject({ type: "manual", workflow_uuid: uuid });
  });

  it("lose a step of whatever type, and nobody else's [000-160] [000-161] [000-162]", async () => {
    const { workflow, llm, agent, checker } = story.client;
    const { uuid } = await workflow.create("Losing", "");
    const find = { custom_llm: llm.get, custom_agent: agent.get, stop_checker: checker.get };
    for (const type of TYPES) {
      const step = (await workflow.addNewStep(uuid, type, `${type} to lose`)).steps[0] ?? "";
      expect(await find[type](step)).not.toBeNull();
      expect((await workflow.deleteStep(uuid, step)).steps).toEqual([]);
      expect(await find[type](step)).toBeNull();
    }
    const other = await workflow.create("Other", "");
    const kept = (await workflow.addNewStep(other.uuid, "custom_llm", "Kept")).steps[0] ?? "";
    await refused(workflow.deleteStep(uuid, kept), { code: "NOT_FOUND" });
    expect(await llm.get(kept)).not.toBeNull();
  });

  it("take a new order of exactly their steps [000-163] [000-164]", async () => {
    const { workflow } = story.client;
    const { uuid } = await workflow.create("Order", "");
    for (const name of ["o1", "o2", "o3"]) await workflow.addNewStep(uuid, "stop_checker", name);
    const [one = "", two = "", three = ""] = (await workflow.get(uuid))?.steps ?? [];
    expect((await workflow.reorderSteps(uuid, [three, one, two])).steps).toEqual([three, one, two]);
    for (const [order, named] of [
      [[three, one], two],
      [[three, one, two, one], one],
      [[three, one, NOBODY], NOBODY],
    ] as const)
      await refused(workflow.reorderSteps(uuid, order), { status: 422, message: expect.stringContaining(named) });
    expect((await workflow.get(uuid))?.steps).toEqual([three, one, two]);
  });

  it("get a trigger of a known type with a container of its own, and lose it [000-071] [000-072] [000-073] [000-075] [000-076] [000-077] [000-078] [000-165] [000-166] [000-173] [000-196] [000-197] [000-198] [000-199] [000-200] [000-201] [000-203]", async () => {
    const { workflow, trigger, dataContainer } = story.client;
    const { uuid } = await workflow.create("Triggered", "");
    expect(await trigger.getForWorkflow(uuid)).toBeNull();
    const types = await trigger.getAvailableTypes();
    expect(await workflow.listAvailableTriggerTypes()).toEqual(types);
    expect(types.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["manual", "schedule", "webhook", "event", "form", "email"]),
    );
    await refused(workflow.setTrigger(uuid, "pigeon"), {
      code: "TRIGGER_TYPE_UNKNOWN",
      fix: expect.stringContaining("schedule"),
    });
    const { trigger_uuid: set } = await workflow.setTrigger(uuid, "schedule");
    const made = await trigger.get(set ?? "");
    expect(made).toEqual({
      uuid: set,
      user_id: expect.stringMatching(UUID),
      workflow_uuid: uuid,
      type: "schedule",
      config: {},
      filter_rules: {},
      output_datacontainer_uuid: expect.stringMatching(UUID),
      initial_data_description: expect.stringContaining("Schedule"),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    if (made === null) throw new Error("no trigger");
    expect(await dataContainer.get(made.output_datacontainer_uuid)).not.toBeNull();
    expect(await trigger.getForWorkflow(uuid)).toEqual(made);
    expect((await workflow.problems(uuid)).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The trigger cannot listen/),
    ]);
    const saved = await trigger.save({
      ...made,
      config: { cron: "0 9 * * *", timezone: "Europe/Vienna" },
      filter_rules: { a: 1 },
    });
    expect(saved).toMatchObject({ filter_rules: { a: 1 }, config: { cron: "0 9 * * *" } });
    expect(Date.parse(saved.updated_at)).toBeGreaterThan(Date.parse(made.updated_at));
    expect(await workflow.problems(uuid)).toEqual([]);
    await refused(trigger.create(uuid, "manual"), { code: "TRIGGER_SET", status: 409 });
    expect((await trigger.list()).map((one) => one.uuid)).toContain(set);
    expect(await story.clientFor(await story.oven.keyFor("admin")).trigger.list()).toEqual([]);
    await trigger.delete(set ?? "");
    expect(await trigger.get(set ?? "")).toBeNull();
    expect((await workflow.get(uuid))?.trigger_uuid).toBeNull();
    expect((await trigger.create(uuid, "manual")).type).toBe("manual");
  });

  it("go with everything that is theirs [000-154]", async () => {
    const { workflow, llm, trigger, dataContainer } = story.client;
    const made = await story.workflow("Going");
    const step = await story.addStep(made, "custom_llm", "Goes along", "go");
    const run = await story.run(made, "x");
    const set = await trigger.getForWorkflow(made.uuid);
    await workflow.delete(made.uuid);
    expect(await workflow.get(made.uuid)).toBeNull();
    expect(await llm.get(step.uuid)).toBeNull();
    expect(await trigger.get(set?.uuid ?? "")).toBeNull();
    expect(await workflow.getInstance(run.uuid)).toBeNull();
    expect(await dataContainer.get(step.container)).toBeNull();
    const left = async (table: string) =>
      (await story.oven.db.query(`select 1 from ${table} where tenant_id = 1`)).length;
    const rows = await story.oven.db.query("select 1 from data_container_instances where execution_id = $1", [
      run.execution_id,
    ]);
    expect([rows.length, await left("linear_step_instances")]).toEqual([0, 0]);
  });
});

describe("single steps", () => {
  const ofModels = { output_datacontainer_uuid: expect.stringMatching(UUID), generated_summary: null };

  it("of a model are made with a container and keep every field [000-028] [000-029] [000-031] [000-032] [000-033] [000-034] [000-035] [000-037] [000-038] [000-147] [000-175] [000-176] [000-177] [000-178] [000-179] [000-298]", async () => {
    const { llm, dataContainer, workflow } = story.client;
    const made = await llm.create("Alone", MODEL, "Say something");
    const expected = {
      uuid: expect.stringMatching(UUID),
      user_id: expect.stringMatching(UUID),
      name: "Alone",
      description: "",
      type: "custom_llm",
    };
    expect(made).toEqual({ ...expected, ...ofModels, model: MODEL, system_prompt: "Say something" });
    expect(await dataContainer.get(made.output_datacontainer_uuid)).toEqual({
      uuid: made.output_datacontainer_uuid,
      user_id: made.user_id,
      name: expect.any(String),
    });
    expect((await workflow.list()).flatMap(({ steps }) => steps)).not.toContain(made.uuid);
    const change = { ...made, name: "Changed", description: "D", model: "fast", system_prompt: "Other" };
    expect(await llm.save({ ...change, user_id: NOBODY })).toMatchObject({ ...change, generated_summary: null });
    const read = await llm.get(made.uuid);
    expect({ ...read, generated_summary: null }).toEqual(change);
    await refused(llm.create("Changed", MODEL, "x"), { code: "NAME_TAKEN", status: 409 });
    await refused(
      story.oven
        .call("PUT", `linear-llm-steps/${made.uuid}`, { ...change, type: "other" })
        .then(({ body }) => Promise.reject(body.error)),
      { path: "$.type" },
    );
    const other = story.clientFor(await story.oven.keyFor("admin"));
    expect((await other.llm.create("Changed", MODEL, "x")).name).toBe("Changed");
    await llm.delete(made.uuid);
    expect(await llm.get(made.uuid)).toBeNull();
  });

  it("of an agent keep their tools with whatever else is said of them [000-041] [000-042] [000-043] [000-044] [000-045] [000-046] [000-047] [000-048] [000-050] [000-184] [000-185] [000-186] [000-187]", async () => {
    const { agent } = story.client;
    const made = await agent.create("An agent", MODEL, "Work");
    expect(made).toMatchObject({
      name: "An agent",
      description: "",
      type: "custom_agent",
      model: MODEL,
      system_prompt: "Work",
      tools: {},
      ...ofModels,
    });
    const change: CustomAgent = {
      ...made,
      tools: { "mail.addLabel": { enabled: true, limit: 3, note: { a: [1] } }, other: {} },
      description: "D",
    };
    await agent.save(change);
    expect({ ...(await agent.get(made.uuid)), generated_summary: null }).toEqual(change);
    await refused(agent.create("An agent", MODEL, "x"), { code: "NAME_TAKEN" });
    await agent.delete(made.uuid);
    expect(await agent.get(made.uuid)).toBeNull();
  });

  it("of a checker keep their conditions, any value, and have no container [000-024] [000-025] [000-026] [000-027] [000-053] [000-054] [000-055] [000-056] [000-057] [000-190] [000-191] [000-192] [000-193]", async () => {
    const { checker, dataContainer } = story.client;
    const before = (await dataContainer.list()).length;
    const made = await checker.create("Checks", []);
    expect(made).toEqual({
      uuid: expect.stringMatching(UUID),
      user_id: expect.stringMatching(UUID),
      name: "Checks",
      description: "",
      type: "stop_checker",
      stop_conditions: [],
    });
    expect((await dataContainer.list()).length).toBe(before);
    const condition = {
      datacontainer_definition_uuid: NOBODY,
      extraction_json_path: "$.a.b[0]",
      operator: "equals" as const,
    };
    const stop_conditions = [1, "x", true, null, [1, { a: 2 }]].map((target_value) => ({ ...condition, target_value }));
    await checker.save({ ...made, stop_conditions });
    expect((await checker.get(made.uuid))?.stop_conditions).toEqual(stop_conditions);
    await refused(checker.create("Bad", [{ ...condition, operator: "gt" as never, target_value: 1 }]), {
      message: expect.stringMatching(/equals.*not_equals.*contains.*greater_than.*less_than/),
    });
    for (const key of Object.keys(condition))
      await refused(checker.create("Bad", [{ ...condition, target_value: 1, [key]: undefined } as never]), {
        path: expect.stringContaining(key),
      });
    await checker.delete(made.uuid);
    expect(await checker.get(made.uuid)).toBeNull();
  });

  it.each([
    ["custom_llm", "llm"],
    ["custom_agent", "agent"],
    ["stop_checker", "checker"],
  ] as const)(
    "of type %s have records of their own that others keep [000-180] [000-181] [000-188] [000-189] [000-194] [000-195]",
    async (type, group) => {
      const made = await story.workflow(`Records ${type}`);
      const run = await story.run(made, 1);
      const step: LinearStep =
        type === "stop_checker"
          ? await story.client.checker.create("r", [])
          : await story.client[group === "llm" ? "llm" : "agent"].create(`r ${type}`, MODEL, "r");
      const client = story.client[group];
      const pending = await client.createInstance(run.uuid, step.uuid);
      expect(pending).toMatchObject({
        status: "pending",
        started_at: null,
        finished_at: null,
        type,
        workflow_instance_uuid: run.uuid,
      });
      const at = "2026-11-22T10:00:00.000Z";
      expect(await client.saveInstance({ ...pending, status: "running", started_at: at })).toMatchObject({
        status: "running",
        started_at: at,
      });
      await client.saveInstance({
        ...pending,
        status: "completed",
        started_at: at,
        finished_at: at,
        input_data: { a: 1 },
      });
      const seen = await story.client.workflow.getInstance(run.uuid);
      expect(seen?.step_instances).toEqual([
        expect.objectContaining({ uuid: pending.uuid, status: "completed", finished_at: at, input_data: { a: 1 } }),
      ]);
      await refused(client.saveInstance({ ...pending, uuid: NOBODY }), { code: "NOT_FOUND" });
    },
  );
});

describe("data containers", () => {
  it("are made with a name of their own, and found by their owner alone [000-030] [000-204] [000-208] [000-209]", async () => {
    const { dataContainer } = story.client;
    const [one, two] = [await dataContainer.create(), await dataContainer.create()];
    expect(one.name).not.toBe(two.name);
    expect(await dataContainer.get(one.uuid)).toEqual(one);
    expect(await dataContainer.get(NOBODY)).toBeNull();
    expect((await dataContainer.list()).map(({ uuid }) => uuid)).toEqual(expect.arrayContaining([one.uuid, two.uuid]));
    const other = story.clientFor(await story.oven.keyFor("admin"));
    expect(await other.dataContainer.list()).toEqual([]);
    await refused(
      story.oven.db.query(
        "insert into data_containers (tenant_id, user_id, name) select tenant_id, user_id, name from data_containers where uuid = $1",
        [one.uuid],
      ),
      {},
    );
  });
});

describe("the client", () => {
  it("has six groups and nothing of the runner or the storage; both lists of tools are the same [000-148] [000-149] [000-174]", async () => {
    expect(Object.keys(story.client).sort()).toEqual([
      "agent",
      "checker",
      "dataContainer",
      "llm",
      "trigger",
      "workflow",
    ]);
    const tools = await story.client.agent.discoverMcpTools();
    expect(await story.client.workflow.discoverMcpTools()).toEqual(tools);
    expect(tools.find(({ name }) => name === "mail.addLabel")).toMatchObject({
      description: expect.any(String),
      input_schema: { type: "object" },
      server: "mail",
    });
  });

  it("hands on what the server says of an error [000-300]", async () => {
    await refused(
      story.client.llm.save({ ...(await story.client.llm.create("E", MODEL, "e")), output_datacontainer_uuid: NOBODY }),
      { code: "NOT_FOUND", status: 404 },
    );
    await story.client.llm.create("Twice", MODEL, "e");
    await refused(story.client.llm.create("Twice", MODEL, "e"), {
      code: "NAME_TAKEN",
      status: 409,
      path: "$.name",
      fix: expect.any(String),
    });
    const away = story.clientFor("wrong");
    await refused(away.workflow.list(), { status: 401 });
  });
});

describe("what belongs to somebody", () => {
  it.each([
    ["another user of the tenant", 1],
    ["another tenant's admin", 2],
  ])("is not found, changed or started by %s", async (_who, tenantId) => {
    const made = await story.workflow(`Mine, not of ${tenantId}`);
    const step = await story.addStep(made, "custom_agent", `Mine ${tenantId}`, "say");
    const run = await story.run(made, "secret 8841");
    const trigger = await story.client.trigger.getForWorkflow(made.uuid);
    const [data] = await story.client.workflow.listData(run.uuid);
    const checker = await story.client.checker.create("mine", []);
    const ids = { workflow: made.uuid, step: step.uuid, run: run.uuid, trigger: trigger?.uuid, data: data?.uuid };
    const before = await story.client.workflow.getWithDetails(made.uuid);
    const key = await story.oven.keyFor("admin", tenantId);
    const agent = await story.client.agent.get(step.uuid);
    const tries: [string, string, unknown?][] = [
      ["GET", `linear-workflows/${ids.workflow}`],
      ["PUT", `linear-workflows/${ids.workflow}`, { name: "Theirs" }],
      ["DELETE", `linear-workflows/${ids.workflow}`],
      ["GET", `linear-workflows/${ids.workflow}/details`],
      ["GET", `linear-workflows/${ids.workflow}/problems`],
      ["GET", `linear-workflows/${ids.workflow}/rows/workflow_instances`],
      ["POST", `linear-workflows/${ids.workflow}/steps`, { type: "custom_llm", name: "x" }],
      ["PUT", `linear-workflows/${ids.workflow}/steps`, { steps: [] }],
      ["DELETE", `linear-workflows/${ids.workflow}/steps/${ids.step}`],
      ["PUT", `linear-workflows/${ids.workflow}/trigger`, { type_id: "manual" }],
      ["DELETE", `linear-workflows/${ids.workflow}/trigger`],
      ["GET", `linear-workflows/${ids.workflow}/trigger`],
      ["POST", `linear-workflows/${ids.workflow}/instances`, { triggering_data: 1 }],
      ["GET", `linear-workflows/${ids.workflow}/instances`],
      ["GET", `linear-workflow-instances/${ids.run}`],
      ["POST", `linear-workflow-instances/${ids.run}/cancel`],
      ["PUT", `linear-workflow-instances/${ids.run}`, { status: "stopped" }],
      ["DELETE", `linear-workflow-instances/${ids.run}`],
      ["GET", `linear-workflow-instances/${ids.run}/steps`],
      ["GET", `linear-step-instances/${run.step_instances[0]?.uuid}`],
      ["DELETE", `linear-step-instances/${run.step_instances[0]?.uuid}`],
      ["GET", `linear-workflow-instances/${ids.run}/data`],
      ["GET", `linear-agent-steps/${ids.step}`],
      ["PUT", `linear-agent-steps/${ids.step}`, agent],
      ["DELETE", `linear-agent-steps/${ids.step}`],
      ["POST", `linear-agent-steps/${ids.step}/instances`, { workflow_instance_uuid: ids.run }],
      ["DELETE", `linear-checker-steps/${checker.uuid}`],
      ["GET", `linear-triggers/${ids.trigger}`],
      ["PUT", `linear-triggers/${ids.trigger}`, trigger],
      ["DELETE", `linear-triggers/${ids.trigger}`],
      ["GET", `linear-data-containers/${step.container}`],
      ["PUT", `linear-data-containers/${step.container}`, { name: "Theirs" }],
      ["DELETE", `linear-data-containers/${step.container}`],
      ["GET", `linear-data-containers/${step.container}/instances`],
      ["POST", `linear-data-containers/${step.container}/instances`, { workflow_instance_uuid: ids.run, raw_data: 1 }],
      [
        "GET",
        `linear-data-containers/${data?.datacontainer_uuid}/resolve?workflow_instance_uuid=${ids.run}&target_format=compressed`,
      ],
      ["GET", `linear-data-instances/${ids.data}`],
      ["PUT", `linear-data-instances/${ids.data}`, { raw_data: 1 }],
      ["DELETE", `linear-data-instances/${ids.data}`],
    ];
    for (const [method, path, body] of tries) {
      const answer = await story.oven.call(method, path, body, { key });
      expect([answer.status, JSON.stringify(answer.body).includes("8841")], `${method} ${path}`).toEqual([404, false]);
    }
    expect(await story.client.workflow.getWithDetails(made.uuid)).toEqual(before);
  });
});
