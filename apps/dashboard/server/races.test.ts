import { SlugSchema } from "@oven/contract";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

const final = { type: "final" };
const says = (message: string) => ({
  initial: "say",
  states: { say: { invoke: { src: "core.log", input: { message }, onDone: "done" } }, done: final },
});
const asks = {
  initial: "ask",
  states: {
    ask: { invoke: { src: "agent.humanReview", input: { title: "May I?", show: "this" }, onDone: "done" } },
    done: final,
  },
};
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const statuses = (answers: readonly TestAnswer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe.each(testDatabases(inject("postgresUrl")))("at the same moment, on $name", ({ open }) => {
  let oven: TestOven;
  let test: TestDatabase;
  beforeAll(async () => {
    test = await open();
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }), db: test.db });
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  const create = (name: string, definition: object, more: object = {}) =>
    oven.call("POST", "agent-workflows", { name, definition, ...more });

  it("one of fifty decisions wins, and the others are told who [004-244]", async () => {
    const { body: workflow } = await create("Fifty decisions", asks);
    const run = await oven.call("POST", `agent-workflows/${workflow.id}/execute?wait=20`, {});
    const [review] = (await oven.call("GET", `reviews?filter={"executionId":${run.body.id}}`)).body;
    const answers = await times(50, (index) =>
      oven.call("POST", `reviews/${review.id}/decide`, {
        action: index % 2 ? "approve" : "edit",
        data: "that",
        reason: `${index}`,
      }),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 409: 49 });
    const won = answers.find(({ status }) => status === 200)?.body;
    for (const { body } of answers.filter(({ status }) => status === 409))
      expect(body.error).toMatchObject({ code: "REVIEW_DECIDED", details: { decision: { action: won.action } } });
    expect(await oven.db.query("select id from run_signals where execution_id = $1", [run.body.id])).toHaveLength(1);
    await (await oven.fetch(`agent-workflow-executions/${run.body.id}/events`)).text();
    const { body } = await oven.call("GET", `agent-workflow-executions/${run.body.id}`);
    expect(body.nodes).toMatchObject([{ nodeId: "ask", output: { action: won.action, reason: won.reason } }]);
  });

  it("one of twenty saves of the same version wins, and nothing waits for ever [004-290]", async () => {
    const { body: workflow } = await create("Twenty saves", says("first"));
    const answers = await times(20, (index) =>
      oven.call("PUT", `agent-workflows/${workflow.id}`, { version: 1, definition: says(`change ${index}`) }),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
    for (const { body } of answers.filter(({ status }) => status === 409))
      expect(body.error).toMatchObject({ code: "STALE_VERSION", details: { current: { version: 2 } } });
    const { body: versions } = await oven.call("GET", `agent-workflows/${workflow.id}/versions`);
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
  });

  it("twenty workflows of one name get slugs of their own, and one of twenty gets the slug all ask for", async () => {
    const name = `${"Long name ".repeat(5)}twelve1 a`;
    const made = await times(20, () => create(name, says("x")));
    expect(statuses(made)).toEqual({ 201: 20 });
    const slugs = made.map(({ body }) => body.slug as string);
    expect(new Set(slugs).size).toBe(20);
    expect(slugs.filter((slug) => !SlugSchema.safeParse(slug).success)).toEqual([]);
    const wanted = await times(20, () => create("Wanted", says("x"), { slug: "wanted" }));
    expect(statuses(wanted)).toEqual({ 201: 1, 409: 19 });
    expect(wanted.find(({ status }) => status === 409)?.body.error).toMatchObject({
      code: "SLUG_TAKEN",
      path: "$.slug",
    });
  });

  it("twenty requests with one Idempotency-Key start one run", async () => {
    const { body: workflow } = await create("Once", says("x"));
    const answers = await times(20, () =>
      oven.call("POST", `agent-workflows/${workflow.id}/execute`, {}, { headers: { "idempotency-key": "k" } }),
    );
    expect(statuses(answers)).toEqual({ 202: 20 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true")).toHaveLength(19);
    const runs = await oven.db.query("select id from agent_workflow_executions where agent_workflow_id = $1", [
      workflow.id,
    ]);
    expect(runs).toHaveLength(1);
  });

  it("a workflow is not deleted under a run that was accepted [004-236]", async () => {
    for (let round = 0; round < 8; round++) {
      const { body: workflow } = await create(`Going ${round}`, asks);
      const path = `agent-workflows/${workflow.id}`;
      const [gone, ...runs] = await Promise.all([
        oven.call("DELETE", path),
        ...Array.from({ length: 4 }, () => oven.call("POST", `${path}/execute`, {})),
      ]);
      const accepted = runs.filter(({ status }) => status === 202);
      expect(gone?.status).toBe(accepted.length > 0 ? 409 : 204);
      for (const { status } of runs) expect([202, 404, 422]).toContain(status);
      for (const { body } of accepted)
        expect((await oven.call("GET", `agent-workflow-executions/${body.id}`)).status).toBe(200);
    }
  });

  it("deletes a workflow once: of five, four are told that it is gone", async () => {
    const { body: workflow } = await create("Deleted", says("x"));
    const answers = await times(5, () => oven.call("DELETE", `agent-workflows/${workflow.id}`));
    expect(statuses(answers)).toEqual({ 204: 1, 404: 4 });
    const events = await oven.db.query("select id from outbox_events where order_key = $1 and name like '%.deleted'", [
      `agent-workflow:${workflow.id}`,
    ]);
    expect(events).toHaveLength(1);
  });

  it("a cancel that races the end is answered with what became of the run", async () => {
    const { body: workflow } = await create("Short", says("x"));
    for (let round = 0; round < 12; round++) {
      const run = await oven.call("POST", `agent-workflows/${workflow.id}/execute${round % 3 ? "" : "?wait=1"}`, {});
      const cancelled = await oven.call("POST", `agent-workflow-executions/${run.body.id}/cancel`, {});
      const { body } = await oven.call("GET", `agent-workflow-executions/${run.body.id}`);
      if (cancelled.status === 200) expect(body.status).toBe("cancelled");
      else
        expect([cancelled.status, cancelled.body.error.code, body.status]).toEqual([409, "ALREADY_ENDED", "completed"]);
    }
  });

  describe("readers of one run's stream", () => {
    const frames = (text: string) => text.split("\n\n").filter((frame) => frame.startsWith("id: "));
    const readAll = async (path: string, after?: number) =>
      frames(
        await (await oven.fetch(path, after === undefined ? {} : { headers: { "last-event-id": `${after}` } })).text(),
      );

    it("see the same frames, live, stalled or coming back at any id [004-034]", async () => {
      const { body: workflow } = await create("Watched", asks);
      const run = await oven.call("POST", `agent-workflows/${workflow.id}/execute?wait=20`, {});
      const path = `agent-workflow-executions/${run.body.id}/events`;
      const live = [readAll(path), readAll(path)];
      const stalled = (await oven.fetch(path)).body?.getReader();
      const first = await stalled?.read();
      const left = (await oven.fetch(path)).body?.getReader();
      await left?.read();
      await left?.cancel();
      const beyond = (await oven.fetch(path, { headers: { "last-event-id": "99999999999" } })).text();
      expect(
        (await oven.call("POST", `agent-workflow-executions/${run.body.id}/resume`, { action: "approve" })).status,
      ).toBe(200);
      const [one = [], other = []] = await Promise.all(live);
      expect(one.at(-1)).toContain("event: end");
      expect(other).toEqual(one);
      let late = new TextDecoder().decode(first?.value);
      for (let part = await stalled?.read(); part?.done === false; part = await stalled?.read())
        late += new TextDecoder().decode(part.value);
      expect(frames(late)).toEqual(one);
      for (let id = 0; id < one.length; id++) expect(await readAll(path, id)).toEqual(one.slice(id));
      expect(frames(await beyond)).toEqual([]);
    });
  });

  it.each([
    ["an error text with NUL", "core.fail", { message: "{{ $.trigger.text }}" }, "failed"],
    ["a review title with NUL", "agent.humanReview", { title: "{{ $.trigger.text }}", show: 1 }, "paused"],
  ])("a run with %s is recorded and goes on", async (name, src, input, status) => {
    const definition = { initial: "a", states: { a: { invoke: { src, input, onDone: "done" } }, done: final } };
    const usable = src === "core.fail" ? { initial: "a", states: { a: { invoke: { src, input } } } } : definition;
    const { body: workflow } = await create(name, usable);
    const run = await oven.call("POST", `agent-workflows/${workflow.id}/execute?wait=10`, {
      input: { text: "before\u0000after" },
    });
    expect(run).toMatchObject({ status: 200, body: { status } });
    const shown =
      status === "failed"
        ? run.body.error
        : (await oven.call("GET", `reviews?filter={"executionId":${run.body.id}}`)).body[0].title;
    expect(shown).toContain("before\ufffdafter");
  });

  it("an answer after two months reaches the run", async () => {
    const { body: workflow } = await create("Patient", asks);
    const run = await oven.call("POST", `agent-workflows/${workflow.id}/execute?wait=20`, {});
    const [row] = await oven.db.query<{ state: { units: { startedAt: number }[] } }>(
      "select state from agent_workflow_executions where id = $1",
      [run.body.id],
    );
    const units = row?.state.units.map((unit) => ({ ...unit, startedAt: unit.startedAt - 60 * 86_400_000 }));
    await oven.db.query("update agent_workflow_executions set state = $2::json where id = $1", [
      run.body.id,
      JSON.stringify({ ...row?.state, units }),
    ]);
    await oven.call("POST", `agent-workflow-executions/${run.body.id}/resume`, { action: "approve" });
    await (await oven.fetch(`agent-workflow-executions/${run.body.id}/events`)).text();
    const { body } = await oven.call("GET", `agent-workflow-executions/${run.body.id}`);
    expect(body.status).toBe("completed");
    expect(body.nodes[0].durationMs).toBeGreaterThan(24 * 86_400_000);
  });
});
