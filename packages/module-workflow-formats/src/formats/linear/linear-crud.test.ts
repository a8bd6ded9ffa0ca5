import type { CustomAgent, CustomLlm, StopChecker } from "@oven/contract/formats/linear.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LinearStory, MODEL, startLinear } from "./testing/linear-story.ts";

let story: LinearStory;
beforeAll(async () => {
  story = await startLinear();
});
const held = Promise.withResolvers<void>();
/** Starts a run whose model thinks until the end of the tests. */
async function startHanging(workflow: string) {
  story.answers.push({ text: "late", gate: { after: 0, opened: held.promise } });
  const asked = story.asked().length;
  const run = await story.client.workflow.createInstance(workflow, 1);
  await expect.poll(() => story.asked().length).toBe(asked + 1);
  return run;
}
afterAll(() => {
  held.resolve();
  return story.oven.stop();
});

const refused = (work: Promise<unknown>, error: object) => expect(work).rejects.toMatchObject(error);

interface Model {
  create(name: string): Promise<{ uuid: string }>;
  list(): Promise<{ uuid: string }[]>;
  get(uuid: string): Promise<object | null>;
  /** Answers what of it is other afterwards. */
  update(uuid: string): Promise<object>;
  delete(uuid: string): Promise<unknown>;
}

/** Of one finished run each. */
async function runOf(name: string, type: "custom_llm" | "custom_agent" | "stop_checker" = "custom_llm") {
  const workflow = await story.workflow(name);
  const step = await story.addStep(workflow, "custom_llm", `${name} says`, "say");
  const run = await story.run(workflow, 1);
  const other = await story.client.workflow.addNewStep(workflow.uuid, type, `${name} elsewhere`);
  return { workflow, run, step: other.steps.find((uuid) => uuid !== step.uuid) ?? "", container: step.container };
}

async function found<T>(work: Promise<T | null>): Promise<T> {
  const value = await work;
  if (value === null) throw new Error("it is gone");
  return value;
}

function stepModel(kind: "llm" | "agent" | "checker"): Model {
  const steps = () => story.client[kind];
  return {
    create: (name) =>
      kind === "checker" ? story.client.checker.create(name, []) : story.client[kind].create(name, MODEL, "say"),
    list: () => steps().list(),
    get: (uuid) => steps().get(uuid),
    async update(uuid) {
      const step = await found<CustomLlm | CustomAgent | StopChecker>(steps().get(uuid));
      const save = steps().save as (changed: typeof step) => Promise<typeof step>; // cast: each takes its own kind
      await save({ ...step, description: "Changed" });
      return { description: "Changed" };
    },
    delete: (uuid) => steps().delete(uuid),
  };
}

function stepInstanceModel(
  kind: "llm" | "agent" | "checker",
  type: "custom_llm" | "custom_agent" | "stop_checker",
): Model {
  let run = "";
  const steps = () => story.client[kind];
  return {
    async create(name) {
      const made = await runOf(name, type);
      run = made.run.uuid;
      return steps().createInstance(run, made.step);
    },
    list: () => steps().listInstances(run),
    get: (uuid) => steps().getInstance(uuid),
    async update(uuid) {
      await steps().saveInstance({ ...(await found(steps().getInstance(uuid))), status: "skipped" });
      return { status: "skipped" };
    },
    delete: (uuid) => steps().deleteInstance(uuid),
  };
}

let container = "";
let listed = "";
const MODELS: Record<string, Model> = {
  WorkflowModel: {
    create: (name) => story.client.workflow.create(name, ""),
    list: () => story.client.workflow.list(),
    get: (uuid) => story.client.workflow.get(uuid),
    update: async (uuid) => {
      await story.client.workflow.update(uuid, { description: "Changed" });
      return { description: "Changed" };
    },
    delete: (uuid) => story.client.workflow.delete(uuid),
  },
  CustomLLM: stepModel("llm"),
  CustomAgent: stepModel("agent"),
  StopWorkflowChecker: stepModel("checker"),
  TriggerModel: {
    create: async (name) =>
      story.client.trigger.create((await story.client.workflow.create(name, "")).uuid, "schedule"),
    list: () => story.client.trigger.list(),
    get: (uuid) => story.client.trigger.get(uuid),
    update: async (uuid) => {
      const trigger = await found(story.client.trigger.get(uuid));
      const changed = { filter_rules: { subject: "order" } };
      await story.client.trigger.save({ ...trigger, ...changed });
      return changed;
    },
    delete: (uuid) => story.client.trigger.delete(uuid),
  },
  DataContainerModel: {
    create: () => story.client.dataContainer.create(),
    list: () => story.client.dataContainer.list(),
    get: (uuid) => story.client.dataContainer.get(uuid),
    update: async (uuid) => {
      await story.client.dataContainer.update(uuid, { name: "Changed" });
      return { name: "Changed" };
    },
    delete: (uuid) => story.client.dataContainer.delete(uuid),
  },
  DataContainerInstanceModel: {
    create: async (name) => {
      const { run } = await runOf(name);
      container = (await story.client.dataContainer.create()).uuid;
      return story.client.dataContainer.createInstance(run.uuid, container, "first");
    },
    list: () => story.client.dataContainer.listInstances(container),
    get: (uuid) => story.client.dataContainer.getInstance(uuid),
    update: async (uuid) => {
      await story.client.dataContainer.updateInstance(uuid, { raw_data: { n: 1 }, markdown_representation: "# One" });
      return { raw_data: { n: 1 }, markdown_representation: "# One" };
    },
    delete: (uuid) => story.client.dataContainer.deleteInstance(uuid),
  },
  CustomLLMInstanceModel: stepInstanceModel("llm", "custom_llm"),
  CustomAgentInstanceModel: stepInstanceModel("agent", "custom_agent"),
  StopWorkflowCheckerInstanceModel: stepInstanceModel("checker", "stop_checker"),
  WorkflowInstanceModel: {
    create: async (name) => {
      const workflow = await story.workflow(name);
      listed = workflow.uuid;
      await story.addStep(workflow, "custom_llm", `${name} says`, "say");
      return startHanging(workflow.uuid);
    },
    list: () => story.client.workflow.listInstances(listed),
    get: (uuid) => story.client.workflow.getInstance(uuid),
    update: async (uuid) => {
      await story.client.workflow.updateInstance(uuid, { status: "stopped" });
      return { status: "stopped" };
    },
    delete: (uuid) => story.client.workflow.deleteInstance(uuid),
  },
};

describe("models of linear workflows", () => {
  it.each(Object.keys(MODELS))("%s is made, read, listed, changed and deleted [000-297]", async (name) => {
    const model = MODELS[name];
    if (model === undefined) throw new Error(name);
    const { uuid } = await model.create(`Crud ${name}`);
    const isListed = async () => (await model.list()).some((one) => one.uuid === uuid);
    expect(await isListed()).toBe(true);
    const before = await model.get(uuid);
    expect(before).toMatchObject({ uuid });
    const change = await model.update(uuid);
    expect(before).not.toMatchObject(change);
    expect(await model.get(uuid)).toMatchObject({ uuid, ...change });
    await model.delete(uuid);
    expect(await model.get(uuid)).toBeNull();
    expect(await isListed()).toBe(false);
  });

  it("of data are renamed, and deleted with their values unless something uses them, which is named", async () => {
    const { dataContainer, llm, workflow } = story.client;
    const made = await story.workflow("Containers");
    const step = await story.addStep(made, "custom_llm", "Writes it", "say");
    const run = await story.run(made, 1);
    const [one, two] = [await dataContainer.create(), await dataContainer.create()];
    const renamed = await dataContainer.update(one.uuid, { name: "Mails" });
    expect(renamed).toEqual({ ...one, name: "Mails" });
    expect(await dataContainer.get(one.uuid)).toEqual(renamed);
    await refused(dataContainer.update(two.uuid, { name: "Mails" }), { code: "NAME_TAKEN", status: 409 });

    const first = await dataContainer.createInstance(run.uuid, one.uuid, "first");
    const second = await dataContainer.createInstance(run.uuid, one.uuid, "second");
    expect(await dataContainer.listInstances(one.uuid)).toEqual([second, first]);
    const changed = { raw_data: null, markdown_representation: "# New" };
    expect(await dataContainer.updateInstance(first.uuid, changed)).toEqual({ ...first, ...changed });
    expect(story.summarised().at(-1)).toContain("# New");
    await dataContainer.deleteInstance(second.uuid);
    expect(await dataContainer.getInstance(second.uuid)).toBeNull();
    expect(await dataContainer.resolveDataFromRun(run.uuid, one.uuid, "uncompressed")).toBe("# New");

    const [own] = await dataContainer.listInstances(step.container);
    const record = { code: "DATA_IN_USE", status: 409, message: expect.stringContaining(run.uuid) };
    await refused(dataContainer.updateInstance(own?.uuid ?? "", changed), record);
    await refused(dataContainer.deleteInstance(own?.uuid ?? ""), record);
    const inUse = { code: "DATA_IN_USE", status: 409, message: expect.stringContaining("the step Writes it") };
    await refused(dataContainer.delete(step.container), inUse);
    const trigger = await story.client.trigger.getForWorkflow(made.uuid);
    await refused(dataContainer.delete(trigger?.output_datacontainer_uuid ?? ""), {
      ...inUse,
      message: expect.stringContaining(`the trigger ${trigger?.uuid}`),
    });
    const full = await llm.get(step.uuid);
    if (full === null) throw new Error("a step is gone");
    await llm.save({ ...full, system_prompt: `Read <<data.${one.uuid.toUpperCase()}>>` });
    await refused(dataContainer.delete(one.uuid), inUse);
    await workflow.deleteStep(made.uuid, step.uuid);
    await dataContainer.delete(one.uuid);
    expect(await dataContainer.get(one.uuid)).toBeNull();
    expect(await dataContainer.getInstance(first.uuid)).toBeNull();
  });

  it("of a run that the engine wrote stay with it: what is live is not deleted, a step of it is its record, and all goes with it", async () => {
    const { workflow, llm } = story.client;
    const made = await story.workflow("Kept");
    await story.addStep(made, "custom_llm", "Kept says", "say");
    const live = await startHanging(made.uuid);
    await refused(workflow.deleteInstance(live.uuid), { code: "RUN_IN_USE", status: 409 });
    const [step] = await llm.listInstances(live.uuid);
    expect(await llm.getInstance(step?.uuid ?? "")).toMatchObject({ uuid: step?.uuid });
    await refused(llm.deleteInstance(step?.uuid ?? ""), { code: "DATA_IN_USE", status: 409 });
    await workflow.cancelInstance(live.uuid);
    expect(await workflow.updateInstance(live.uuid, { status: "stopped" })).toMatchObject({ status: "stopped" });
    const other = story.clientFor(await story.oven.keyFor("admin"));
    await refused(other.workflow.deleteInstance(live.uuid), { status: 404 });
    const elsewhere = await workflow.addNewStep(made.uuid, "custom_llm", "Elsewhere");
    await llm.createInstance(live.uuid, elsewhere.steps.at(-1) ?? "");
    await workflow.deleteInstance(live.uuid);
    expect(await llm.getInstance(step?.uuid ?? "")).toBeNull();
    const id = Number.parseInt(live.uuid.slice(-12), 16);
    for (const table of [
      "run_events",
      "agent_workflow_node_executions",
      "linear_step_instances",
      "data_container_instances",
    ])
      expect(await story.oven.db.query(`select 1 from ${table} where execution_id = $1`, [id]), table).toEqual([]);
    expect(await story.oven.db.query("select 1 from agent_workflow_executions where id = $1", [id])).toEqual([]);
  });
});
