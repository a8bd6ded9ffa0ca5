import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AskedModel, json } from "../../shared/testing/scripted-model.ts";
import { type ChainStory, call, chainOf, executor, startChains } from "./testing/chain-story.ts";

let story: ChainStory;
beforeAll(async () => {
  story = await startChains();
});
afterEach(() => {
  story.oven.server.requests.length = 0;
  story.answers.length = 0;
});
afterAll(() => story.oven.stop());

const LIST = executor("list", { output_schema: { names: ["str"] } });
const each = (more: object = {}) =>
  executor("each", { system_prompt: "Judge $item.", loop: { type: "for_each", input_path: "names", ...more } });
const until = (more: object = {}) =>
  executor("until", {
    output_schema: { type: "object", properties: { done: {} } },
    loop: { type: "repeat_until", predicate_path: "done", ...more },
  });
const rows = (run: string) => story.client.listExecutorRuns(run);
const judge = (asked: AskedModel) => json({ ok: !asked.system.includes("bad") });

describe("for each", () => {
  it("asks once per item, keeps their order, and says what each took [001-123] [001-124] [001-125] [001-129] [001-132] [001-135]", async () => {
    const names = ["a", "b", "c"];
    story.answers.push(json({ names }), judge, judge, judge, json({ ok: true }));
    const run = await story.run(chainOf([LIST, each(), executor("after")]));
    expect(run.status).toBe("completed");
    const asked = story.asked().slice(1, 4);
    expect(asked.map(({ system }) => system).toSorted()).toEqual(names.map((name) => `Judge "${name}".`));
    for (const { system, user } of asked) {
      const name = /"(.)"/.exec(system)?.[1] ?? "";
      expect(user).toContain(`Current item ${names.indexOf(name)}:\n"${name}"`);
    }
    const result = {
      items: names.map((input, index) => ({ index, input, output: { ok: true }, status: "completed" })),
      ...{ count: 3, total: 3, failed: 0, truncated: false },
    };
    const [, row] = await rows(run.run_id);
    expect(row).toMatchObject({ structured_output: result, prompt_tokens: 30, completion_tokens: 15 });
    expect(row?.iterations).toMatchObject(
      names.map((_, index) => ({ index, status: "success", prompt_tokens: 10, completion_tokens: 5 })),
    );
    expect(JSON.parse(/outputs:\n([\s\S]*)\n\nNow/.exec(story.asked().at(-1)?.user ?? "")?.[1] ?? "")).toMatchObject({
      each: result,
    });
  });

  it("takes no more than its limit and says so, and nothing of an empty list [001-130] [001-131] [001-133]", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `n${at}`);
    story.answers.push(json({ names }));
    const cut = await story.run(chainOf([LIST, each({ max_items: 3 })]));
    expect(story.asked()).toHaveLength(4);
    expect(cut.result).toMatchObject({ count: 3, total: 12, truncated: true });
    story.oven.server.requests.length = 0;
    story.answers.push(json({ names: [] }));
    const empty = await story.run(chainOf([LIST, each()]));
    expect(empty).toMatchObject({ status: "completed", result: { items: [], count: 0, truncated: false } });
    expect(story.asked()).toHaveLength(1);
    story.oven.server.requests.length = 0;
    const many = Array.from({ length: 101 }, (_, at) => at);
    story.answers.push(json({ names: many.map(String) }));
    const chain = chainOf([LIST, each({ input_path: "nothing.there" })]);
    expect(await story.run(chain)).toMatchObject({
      status: "partial_success",
      error_message: expect.stringContaining("nothing.there of the previous output is no list"),
    });
  });

  it("lets the others finish when one item fails; only that one is done again [001-134]", async () => {
    const fail = (asked: AskedModel) =>
      asked.system.includes('"b"') ? { status: 400 as const, message: "no b" } : json({ ok: true });
    story.answers.push(json({ names: ["a", "b", "c"] }), fail, fail, fail);
    const run = await story.run(chainOf([LIST, each()]));
    expect(run).toMatchObject({
      status: "partial_success",
      error_message: expect.stringContaining("1 of 3 items failed; the first is item 1"),
    });
    expect((await rows(run.run_id))[1]?.iterations.map(({ status }) => status)).toEqual([
      "success",
      "failed",
      "success",
    ]);
    story.oven.server.requests.length = 0;
    await story.client.resumeRun(run.run_id);
    expect(await story.settle(run.run_id)).toMatchObject({ status: "completed", result: { count: 3, failed: 0 } });
    expect(story.asked().map(({ system }) => system)).toEqual(['Judge "b".']);
    expect((await rows(run.run_id))[1]?.iterations.map(({ status }) => status)).toEqual([
      "success",
      "success",
      "success",
    ]);
  });
});

describe("repeat until", () => {
  it("stops in the turn in which the value appears, compared as text or as JSON, or as anything true [001-127] [001-128] [001-136] [001-137]", async () => {
    for (const [wanted, first, last] of [
      ["true", false, true],
      ["3", 2, 3],
      ["ready", "not yet", "ready"],
      [null, 0, "yes"],
    ] as const) {
      story.oven.server.requests.length = 0;
      story.answers.push(json({ done: first }), json({ done: last }));
      const run = await story.run(chainOf([until({ predicate_value: wanted })]));
      expect(run).toMatchObject({ status: "completed", result: { done: last } });
      expect(story.asked()).toHaveLength(2);
      expect(story.asked()[1]?.user).toBe(
        `Your output of iteration 1:\n${JSON.stringify({ done: first }, null, 2)}\n\nNow execute your task.`,
      );
      expect((await rows(run.run_id))[0]).toMatchObject({
        exhausted: false,
        iterations: [{ index: 0 }, { index: 1, prompt_tokens: 10 }],
      });
    }
  });

  it("is ended by its limit whatever the model says, and goes on marked [001-126]", async () => {
    story.answers.push(...Array.from({ length: 12 }, () => json({ done: false })));
    const run = await story.run(chainOf([until({ max_iters: 3, predicate_value: "true" })]));
    expect(story.asked()).toHaveLength(3);
    expect(run).toMatchObject({ status: "completed", result: { done: false } });
    expect((await story.client.getTrace(run.run_id)).executor_runs[0]).toMatchObject({
      exhausted: true,
      iterations: { length: 3 },
    });
  });
});

describe("a large output", () => {
  it("is kept beside the run; a summary with a reference goes on, and a tool reads it [001-144] [001-145] [001-146] [001-147] [001-149] [001-150] [001-151] [001-152] [001-153] [001-154] [001-155] [001-156]", async () => {
    const names = Array.from({ length: 120 }, (_, at) => `${at} ${"x".repeat(17_000)}`);
    const read = { executor_id: "list", path: "names", offset: 118, limit: 1 };
    story.answers.push(
      json({ names }),
      call("read_output", read),
      json({ ok: true }),
      json({ ok: false }),
      json({ ok: true }),
    );
    const chain = chainOf([
      LIST,
      executor("reader", { system_prompt: "All: $previous_output" }),
      executor("small", { system_prompt: "Small: $previous_output" }),
    ]);
    const run = await story.run(chain);
    expect(run.status).toBe("completed");
    const [, reader, told, small] = story.asked();
    expect(reader?.body.length).toBeLessThan(10_000);
    expect(reader?.tools).toEqual(["read_output"]);
    const shown = JSON.parse((reader?.system ?? "").slice("All: ".length).split("\n\nWhat tools")[0] ?? "");
    expect(Object.keys(shown)).toEqual(["summary", "output_ref", "meta"]);
    expect(shown.meta).toMatchObject({ count: 120 });
    expect(shown.output_ref).toMatchObject({
      type: "file",
      path: `data/users/${run.thread_id}/workflows/${run.run_id}/executor_list.json`,
    });
    expect(told?.body).toContain(names[118]?.slice(0, 5_000));
    expect(told?.body).not.toContain(names[117]?.slice(0, 100));
    expect(small?.system).toContain(`Small: ${JSON.stringify({ ok: true }, null, 2)}`);
    const [list] = await rows(run.run_id);
    expect(list).toMatchObject({
      structured_output: null,
      structured_output_ref: shown.output_ref,
      structured_output_summary: shown.summary,
    });
    expect(await story.client.resolve(run.run_id, shown.output_ref)).toEqual({ names });
    const other = story.clientFor(await story.oven.keyFor("admin"));
    await expect(other.resolve(run.run_id, shown.output_ref)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(other.getTrace(run.run_id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const foreign = await story.run(chainOf([executor("other")]));
    await expect(story.client.resolve(foreign.run_id, shown.output_ref)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(story.client.resolve(foreign.run_id, list?.input_ref ?? shown.output_ref)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await story.client.delete(run.workflow_id);
    const { body } = await story.oven.call("GET", `blobs/${shown.output_ref.blob_id}`);
    expect(body.error.code).toBe("NOT_FOUND");
  });

  it("may stand in a document of a vector store, which whoever may read it resolves [001-148]", async () => {
    story.answers.push(json({ ok: true }));
    const run = await story.run(chainOf([executor("only")]));
    const { body: store } = await story.oven.call("POST", "vector-stores", { name: "Handbook" });
    const path = `vector-stores/${store.id}/documents`;
    const { body: document } = await story.oven.call("POST", path, {
      key: "rules",
      title: "Rules",
      text: "Doors close at nine.",
    });
    const ref = { type: "kb" as const, kb_id: store.slug, row_id: String(document.id) };
    const text = () => story.oven.call("GET", `${path}/${document.id}/text`);
    await expect.poll(async () => (await text()).body.text).toContain("nine");
    expect(await story.client.resolve(run.run_id, ref)).toBe("Doors close at nine.");
    await expect(story.client.resolve(run.run_id, { ...ref, row_id: "999999" })).rejects.toMatchObject({ status: 404 });
    await expect(story.client.resolve(run.run_id, { ...ref, kb_id: "no-store" })).rejects.toMatchObject({
      status: 404,
    });
  });

  it("can be gone through item by item, and in part", async () => {
    const names = Array.from({ length: 5 }, (_, at) => `${at} ${"y".repeat(20_000)}`);
    story.answers.push(json({ names }));
    const run = await story.run(chainOf([LIST, each({ max_items: 2 })]));
    expect(run.result).toMatchObject({ count: 2, total: 5 });
    expect(
      story
        .asked()
        .slice(1)
        .map(({ system }) => system.slice(0, 8))
        .toSorted(),
    ).toEqual(['Judge "0', 'Judge "1']);
  });
});
