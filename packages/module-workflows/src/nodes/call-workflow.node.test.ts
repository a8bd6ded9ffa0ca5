import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const done = (output: unknown) => ({ type: "final", output });
const transform = (mapping: object, onDone: string) => ({
  invoke: { src: "core.transform", input: { mapping }, onDone },
});
const call = (input: object) => ({
  initial: "sub",
  context: { secret: "the parent's" },
  states: { sub: { invoke: { src: "core.callWorkflow", input, onDone: "done" } }, done: done("$.sub_output.output") },
});

describe.each(testDatabases(inject("postgresUrl")))("calling workflows on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  beforeAll(async () => {
    test = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, db: test.db, modules });
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  async function publish(slug: string, definition: object): Promise<number> {
    const { status, body } = await oven.call("POST", "workflows", { name: slug, slug, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  }
  async function run(workflow: string | number, input: object = {}) {
    const { body } = await oven.call("POST", `workflows/${workflow}/execute?wait=20`, { input });
    return (await oven.call("GET", `workflow-executions/${body.id}`)).body;
  }
  const shown = async (id: number) => (await oven.call("GET", `workflow-executions/${id}`)).body;
  const childrenOf = async (id: number) =>
    (
      await oven.call(
        "GET",
        `workflow-executions?filter=${encodeURIComponent(JSON.stringify({ parentId: id }))}&sort=["id","ASC"]`,
      )
    ).body;
  async function stream(
    id: number,
    lastEventId?: string,
  ): Promise<{ id: string; event: string; data: { executionId: number; seq: number } }[]> {
    const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const text = await (await oven.fetch(`workflow-executions/${id}/events?children=true`, { headers })).text();
    return [...text.matchAll(/^id: (.*)\nevent: (.*)\ndata: (.*)$/gm)].map(([, at = "", event = "", data = ""]) => ({
      id: at,
      event,
      data: JSON.parse(data),
    }));
  }

  it("runs the called one as a child that sees $.parent, pinned to the version of the start", async () => {
    await publish("greet", {
      initial: "work",
      payloadSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      states: {
        work: transform({ text: "Hello {{ $.trigger.name }}" }, "done"),
        done: done({ text: "$.work_output.text", seen: "$.parent.secret" }),
      },
    });
    const caller = await publish("caller", call({ workflow: "greet", input: { name: "$.trigger.who" } }));
    const version = (await oven.call("GET", `workflows/${caller}/versions`)).body[0];
    expect(version.calls).toEqual({ [`workflow:${(await oven.call("GET", "workflows/greet")).body.id}`]: 1 });
    const parent = await run(caller, { who: "Ada" });
    expect(parent).toMatchObject({ status: "completed", output: { text: "Hello Ada", seen: "the parent's" } });
    const [child, ...others] = await childrenOf(parent.id);
    expect(others).toEqual([]);
    expect(child).toMatchObject({
      parentId: parent.id,
      rootId: parent.id,
      parentNodeId: "sub",
      depth: 1,
      status: "completed",
      workflowSlug: "greet",
    });
    expect((await oven.call("GET", "workflow-executions")).body.map(({ id }: { id: number }) => id)).not.toContain(
      child.id,
    );
    expect((await shown(child.id)).context.trigger).toEqual({ name: "Ada" });
  });

  it("fails with INVALID_INPUT where the input does not fit, and refuses to publish a call of what is not there", async () => {
    const wrong = await publish("wrong-input", call({ workflow: "greet", input: { name: 5 } }));
    expect(await run(wrong)).toMatchObject({ status: "failed", errorInfo: { code: "INVALID_INPUT", nodeId: "sub" } });
    const { status, body } = await oven.call("POST", "workflows", {
      name: "x",
      definition: call({ workflow: "nowhere" }),
    });
    expect([status, body.error.code, body.error.path]).toEqual([
      422,
      "REFERENCE_MISSING",
      "$.states.sub.invoke.input.workflow",
    ]);
  });

  it("keeps a run that is under way at the called version it started with", async () => {
    await publish("waits", {
      initial: "hold",
      states: {
        hold: { invoke: { src: "core.waitForEvent", input: { event: "go" }, onDone: "call" } },
        call: call({ workflow: "callee", input: {} }).states.sub && {
          invoke: { src: "core.callWorkflow", input: { workflow: "greet", input: { name: "Eve" } }, onDone: "done" },
        },
        done: done("$.call_output.output.text"),
      },
    });
    const waiting = await run("waits");
    expect(waiting.status).toBe("paused");
    const greet = (await oven.call("GET", "workflows/greet")).body;
    const changed = structuredClone(greet.definition);
    changed.states.work.invoke.input.mapping.text = "Bye {{ $.trigger.name }}";
    changed.states.done.output = { text: "$.work_output.text" };
    expect((await oven.call("PUT", "workflows/greet", { definition: changed })).status).toBe(200);
    await oven.call("POST", `workflow-executions/${waiting.id}/events`, { event: "go" });
    await expect.poll(async () => (await shown(waiting.id)).status).not.toBe("paused");
    await expect.poll(async () => (await shown(waiting.id)).status).toBe("failed");
    // Version 1 reads $.parent.secret, which this parent does not have; version 2 would have completed.
    expect((await shown(waiting.id)).errorInfo.code).toBe("MISSING_VALUE");
    const again = await run("waits");
    await oven.call("POST", `workflow-executions/${again.id}/events`, { event: "go" });
    await expect.poll(async () => (await shown(again.id)).output).toBe("Bye Eve");
  });

  it("calls the version that a step names, and the published one beside it; one that is not there is refused", async () => {
    const { id } = (await oven.call("GET", "workflows/greet")).body;
    const step = (input: object, onDone: string) => ({
      invoke: { src: "core.callWorkflow", input: { workflow: "greet", input: { name: "Eve" }, ...input }, onDone },
    });
    const definition = {
      initial: "old",
      context: { secret: "hers" },
      states: {
        old: step({ workflowVersion: 1 }, "new"),
        new: step({}, "done"),
        done: done(["$.old_output.output.text", "$.new_output.output.text"]),
      },
    };
    const caller = await publish("both-versions", definition);
    const [version] = (await oven.call("GET", `workflows/${caller}/versions`)).body;
    expect(version.calls).toEqual({ [`workflow:${id}`]: 2, [`workflow:${id}@1`]: 1 });
    const parent = await run(caller);
    expect(parent).toMatchObject({ status: "completed", output: ["Hello Eve", "Bye Eve"] });
    const children: { workflowVersion: number }[] = await childrenOf(parent.id);
    expect(children.map(({ workflowVersion }) => workflowVersion).sort()).toEqual([1, 2]);
    const missing = structuredClone(definition);
    missing.states.old = step({ workflowVersion: 9 }, "new");
    const { status, body } = await oven.call("POST", "workflows", { name: "x", definition: missing });
    expect([status, body.error.code]).toEqual([422, "REFERENCE_MISSING"]);
    expect(body.error.message).toContain("version 9 of the workflow greet");
  });

  it("streams a family as one log: gapless per run, causes before what they cause, resumable anywhere", async () => {
    const body = { work: transform({ n: "$.item" }, "over"), over: done("$.work_output.n") };
    const loop = {
      type: "forEach",
      collection: "$.trigger.list",
      concurrency: 3,
      bodyInitial: "work",
      bodyStates: body,
      onDone: "done",
    };
    const id = await publish("fan", { initial: "each", states: { each: { loop }, done: done("$.each_output.count") } });
    const { body: started } = await oven.call("POST", `workflows/${id}/execute`, {
      input: { list: [1, 2, 3, 4, 5, 6, 7] },
    });
    const all = await stream(started.id);
    expect(all.at(-1)).toMatchObject({ event: "end", data: { executionId: started.id } });
    const seqs = Map.groupBy(all, ({ data }) => data.executionId);
    expect(seqs.size).toBe(8);
    for (const [, entries] of seqs)
      expect(entries.map(({ data }) => data.seq)).toEqual(entries.map((_, index) => index + 1));
    for (const [child, entries] of seqs) {
      if (child === started.id) continue;
      const at = (event: string) =>
        all.findIndex((entry) => entry.event === event && (entry.data as { childId?: number }).childId === child);
      const own = entries.map((entry) => all.indexOf(entry));
      expect(Math.min(...own)).toBeGreaterThan(at("child.started"));
      expect(Math.max(...own)).toBeLessThan(at("child.completed"));
    }
    for (const [index, { id: cursor }] of all.slice(0, -1).entries()) {
      const rest = await stream(started.id, cursor);
      const keys = (list: typeof all) => list.map(({ data }) => `${data.executionId}:${data.seq}`).sort();
      expect(keys(rest), cursor).toEqual(keys(all.slice(index + 1)));
    }
    expect(
      (
        await oven.fetch(`workflow-executions/${started.id}/events?children=true`, {
          headers: { "last-event-id": all.at(-1)?.id ?? "" },
        })
      ).status,
    ).toBe(204);
    expect(
      (
        await oven.fetch(`workflow-executions/${started.id}/events?children=true`, {
          headers: { "last-event-id": "7:x" },
        })
      ).status,
    ).toBe(400);
  });

  it("cancels children with their parent", async () => {
    await publish("hold", {
      initial: "a",
      states: {
        a: { invoke: { src: "core.waitForEvent", input: { event: "never" }, onDone: "done" } },
        done: done(null),
      },
    });
    const parent = await run(await publish("holder", call({ workflow: "hold" })));
    expect(parent).toMatchObject({ status: "paused", checkpoint: { waiting: [{ nodeId: "sub", for: "child" }] } });
    const [child] = await childrenOf(parent.id);
    expect(child.status).toBe("paused");
    expect((await oven.call("POST", `workflow-executions/${parent.id}/cancel`, {})).body.status).toBe("cancelled");
    await expect.poll(async () => (await shown(child.id)).status).toBe("cancelled");
  });
});
