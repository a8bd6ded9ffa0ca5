import type { JsonObject } from "@oven/contract";
import type { LinearWorkflowWithDetails } from "@oven/contract/formats/linear.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withNumberedIds } from "../../shared/testing/format-suite.ts";
import { type LinearStory, MODEL, startLinear } from "./testing/linear-story.ts";

let story: LinearStory;
let here: string;
/** Of another tenant. */
let there: string;
beforeAll(async () => {
  story = await startLinear();
  here = await story.oven.keyFor("admin");
  there = await story.oven.keyFor("admin", 7);
});
afterAll(() => story.oven.stop());

const call = (method: string, path: string, body?: unknown, key = here) => story.oven.call(method, path, body, { key });

async function exported(format: string, id: string, key: string): Promise<JsonObject> {
  const { status, body } = await call("GET", `workflow-formats/${format}/${id}/export`, undefined, key);
  expect(status).toBe(200);
  return body;
}

async function imported(format: string, document: unknown, key: string): Promise<string> {
  const source = typeof document === "string" ? document : JSON.stringify(document);
  const { status, body } = await call("POST", `workflow-formats/${format}/import`, { source }, key);
  expect([status, body.error]).toEqual([201, undefined]);
  return body.id;
}

it("the format is listed with its title", async () => {
  expect((await call("GET", "workflow-formats")).body).toContainEqual({ format: "linear", title: "Linear workflows" });
});

it("a linear workflow that cannot run is not converted", async () => {
  const { body } = await call("POST", "linear-workflows", { name: "Mail", description: "" });
  expect((await call("GET", "workflow-formats/linear")).body).toMatchObject([
    { id: body.uuid, agent_workflow_id: null },
  ]);
  expect((await call("GET", `workflow-formats/linear/${body.uuid}/export`)).body).toMatchObject({ name: "Mail" });
  expect((await call("GET", "workflow-formats/linear/7/export")).status).toBe(404);
  const refused = await call("POST", `workflow-formats/linear/${body.uuid}/convert`);
  expect(refused.body.error.code).toBe("WORKFLOW_INCOMPLETE");
});

describe("a linear workflow that is exported and imported again", () => {
  const withoutSummaries = ({ steps, ...rest }: LinearWorkflowWithDetails) => ({
    ...rest,
    steps: steps.map((step) => ({ ...step, generated_summary: null })),
  });

  it("is equal but for its ids: a linear workflow, with what reads what", async () => {
    const { client } = story;
    const { uuid } = await client.workflow.create("Mail", "Answers mail");
    await client.workflow.setTrigger(uuid, "webhook");
    const workflow = await client.workflow.get(uuid);
    if (workflow === null) throw new Error("the workflow is gone");
    const first = await story.addStep(workflow, "custom_llm", "Read", "Read {{ $.x }}.");
    await story.addStep(workflow, "custom_agent", "Label", `Label <<data.${first.container}>>.`, {
      "mail.addLabel": { enabled: true },
    });
    const { steps } = await client.workflow.addNewStep(uuid, "stop_checker", "Enough?");
    const checker = await client.checker.get(steps.at(-1) ?? "");
    const condition = { datacontainer_definition_uuid: first.container, extraction_json_path: "$.n" };
    await client.checker.save({
      ...checker,
      stop_conditions: [{ ...condition, operator: "greater_than", target_value: 3 }],
    } as never); // cast: it was there
    const before = await client.workflow.getWithDetails(uuid);
    if (before === null) throw new Error("the workflow is gone");

    const id = await imported("linear", before, there);
    const after = (await exported("linear", id, there)) as unknown as LinearWorkflowWithDetails; // cast: of this format
    expect(after.uuid).not.toBe(before.uuid);
    expect(withNumberedIds(withoutSummaries(after))).toEqual(withNumberedIds(withoutSummaries(before)));
    expect(after.steps.map(({ name, type }) => `${type} ${name}`)).toEqual([
      "custom_llm Read",
      "custom_agent Label",
      "stop_checker Enough?",
    ]);
    expect((await call("GET", `linear-workflows/${id}/problems`, undefined, there)).body).toEqual([]);
    // It runs there.
    const run = await call("POST", `linear-workflows/${id}/instances`, { triggering_data: { mail: "Hi" } }, there);
    const settled = await story.clientFor(there).workflow.getInstance(run.body.uuid);
    expect(settled?.workflow_definition_uuid).toBe(id);

    // Where the names are taken, they get a number, and everything else stays.
    const again = await imported("linear", before, there);
    const { steps: copies } = (await exported("linear", again, there)) as unknown as LinearWorkflowWithDetails; // cast: as above
    expect(copies.map(({ name }) => name)).toEqual(["Read (2)", "Label (2)", "Enough?"]);
    expect(MODEL).toBe((copies[0] as { model?: string }).model);
  });

  it("is refused at its place, and nothing of it is kept: a linear workflow", async () => {
    const { uuid } = await story.client.workflow.create("Broken", "");
    await story.client.workflow.addNewStep(uuid, "custom_llm", "One");
    const { steps } = await story.client.workflow.addNewStep(uuid, "custom_llm", "Two");
    expect(steps).toHaveLength(2);
    const document = await story.client.workflow.getWithDetails(uuid);
    const text = JSON.stringify(document, null, 1);
    const count = async () => (await call("GET", "workflow-formats/linear", undefined, there)).body.length;
    const before = await count();
    const [one = "", two = ""] = (document?.steps ?? []).map(
      (step) => (step as { output_datacontainer_uuid: string }).output_datacontainer_uuid,
    );
    const broken: [string, string, string][] = [
      ["$.steps[1].output_datacontainer_uuid", two, one],
      ["$.steps[1].uuid", steps[1] ?? "", steps[0] ?? ""],
      ["$.steps[0].type", '"custom_llm"', '"custom_thing"'],
      ["$.name", '"Broken"', "7"],
    ];
    for (const [path, from, to] of broken) {
      const source = text.replace(from, to);
      const { status, body } = await call("POST", "workflow-formats/linear/import", { source }, there);
      expect([status, body.error.code], path).toEqual([422, "SOURCE_INVALID"]);
      expect(body.error.details.problems.map((problem: JsonObject) => problem.path)).toContain(path);
      expect(body.error.details.line).toBeGreaterThan(1);
    }
    expect(await count()).toBe(before);
    const compiled = await call("POST", "workflow-formats/linear/compile", { source: text }, there);
    expect(compiled.body.error.code).toBe("WORKFLOW_INCOMPLETE");
  });
});
