import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { json } from "../../shared/testing/scripted-model.ts";
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

const PRICES = { prices: [{ product: "A", price: 1.5 }] };
const LABEL = "mail.addLabel";
const rows = (run: string) => story.client.listExecutorRuns(run);
const users = () => story.asked().map(({ user }) => user);

describe("a run of a chain", () => {
  it("goes executor by executor, each an agent of its own, and each gets what came before [001-003] [001-004] [001-005] [001-007] [001-012] [001-029] [001-030] [001-031] [001-197] [001-198] [001-201]", async () => {
    story.answers.push(
      call("mail_addLabel", { label: "found" }),
      json(PRICES),
      json({ alerts: 0 }),
      json({ ok: true }),
    );
    const { workflow_id } = await story.client.create(
      chainOf([
        executor("fetch", { tools: [LABEL], output_schema: { prices: [{ product: "str", price: "float" }] } }),
        executor("compare", { model: "gpt-4o", output_schema: { alerts: "int" } }),
        executor("send"),
      ]),
    );
    const result = await story.client.run(workflow_id, 30);
    expect(result).toEqual({
      workflow_id,
      run_id: expect.any(String),
      status: "completed",
      executor_results: [
        { executor_id: "fetch", status: "success", output: PRICES },
        { executor_id: "compare", status: "success", output: { alerts: 0 } },
        { executor_id: "send", status: "success", output: { ok: true } },
      ],
      final_output: { ok: true },
    });
    const [first, , compare, send] = story.asked();
    expect(first).toMatchObject({ model: "gpt-4o-mini", tools: ["mail_addLabel"], user: "Execute your task." });
    expect(compare).toMatchObject({ model: "gpt-4o", tools: [] });
    expect(compare?.user).toBe(
      `Previous executor outputs:\n${JSON.stringify({ fetch: PRICES }, null, 2)}\n\nNow execute your task.`,
    );
    expect(send?.user).toContain(JSON.stringify({ fetch: PRICES, compare: { alerts: 0 } }, null, 2));
    const runs = await rows(result.run_id);
    for (const [place, row] of runs.slice(1).entries())
      expect(Date.parse(row.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(runs[place]?.completed_at ?? ""));
    const run = await story.client.getRun(result.run_id);
    const { body } = await story.oven.call("GET", `agent-workflow-executions/${run?.execution_id}`);
    expect(body.context).toMatchObject({
      workflow_id,
      run_id: result.run_id,
      user_id: run?.user_id,
      thread_id: run?.thread_id,
      outputs: { fetch: PRICES, compare: { alerts: 0 }, send: { ok: true } },
      current_executor_index: 2,
      previous_output: { ok: true },
    });
  });

  it("shows its rows and its trace as the document has them [001-071] [001-072] [001-073] [001-074] [001-075] [001-077] [001-078] [001-079] [001-080] [001-081] [001-083] [001-084] [001-085] [001-087] [001-088] [001-089] [001-090] [001-091] [001-092] [001-093] [001-094] [001-095] [001-097] [001-098] [001-099] [001-100] [001-101] [001-102] [001-106] [001-107] [001-110] [001-111] [001-112] [001-113] [001-114] [001-115] [001-116] [001-118] [001-119] [001-120] [001-121] [001-122] [001-169] [001-176] [001-179] [001-202] [001-203] [001-204]", async () => {
    story.answers.push(
      call("mail_addLabel", { label: "one" }),
      call("mail_addLabel", { wrong: 1 }, "c2"),
      json(PRICES),
      json({ ok: true }),
    );
    const run = await story.run(
      chainOf([
        executor("fetch", {
          tools: [LABEL, "math.calculate"],
          output_schema: { prices: [{ product: "str", price: "float" }] },
        }),
        executor("compare"),
      ]),
    );
    expect(run).toMatchObject({
      id: expect.any(Number),
      run_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      workflow_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: expect.stringMatching(/^\d+$/),
      thread_id: expect.stringMatching(/^user-/),
      current_executor: 1,
      total_executors: 2,
      result: { ok: true },
      final_output_summary: "ok: true",
      error_message: null,
    });
    const order = [run.created_at, run.started_at, run.completed_at].map((at) => Date.parse(at ?? ""));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    const [fetch, compare] = await rows(run.run_id);
    expect(fetch).toMatchObject({
      run_id: run.run_id,
      executor_id: "fetch",
      executor_name: "FETCH",
      input_data: null,
      model: "gpt-4o-mini",
      tools_used: [LABEL],
      status: "success",
      structured_output: PRICES,
      structured_output_summary: 'prices: 1 items, the first: {"product":"A","price":1.5}',
      prompt_tokens: 30,
      completion_tokens: 15,
      total_tokens: 45,
      retry_count: 0,
      error_message: null,
    });
    expect(fetch?.duration_ms).toBe(Date.parse(fetch?.completed_at ?? "") - Date.parse(fetch?.started_at ?? ""));
    expect(compare).toMatchObject({ input_data: PRICES, input_summary: fetch?.structured_output_summary });
    const read = (ref: typeof run.final_output_ref) => story.client.resolve(run.run_id, ref ?? ({} as never)); // cast: refused if it is none
    expect(await read(run.final_output_ref)).toEqual({ ok: true });
    expect(await read(fetch?.structured_output_ref ?? null)).toEqual(PRICES);
    expect(await read(compare?.input_ref ?? null)).toEqual(PRICES);
    const calls = await story.client.listToolCalls(run.run_id);
    expect(calls).toMatchObject([
      {
        executor_run_id: fetch?.id,
        tool_name: LABEL,
        tool_input: { label: "one" },
        tool_output: { done: true },
        status: "success",
        error_message: null,
      },
      { executor_run_id: fetch?.id, tool_name: LABEL, tool_input: { wrong: 1 }, tool_output: null, status: "failed" },
    ]);
    expect(calls[1]?.error_message).toContain("do not fit");
    for (const { id, duration_ms, started_at, completed_at } of calls)
      expect([id, duration_ms, Date.parse(started_at), Date.parse(completed_at ?? "")].every(Number.isFinite)).toBe(
        true,
      );
    expect(await read(calls[0]?.tool_input_ref ?? null)).toEqual({ label: "one" });
    expect(await read(calls[0]?.tool_output_ref ?? null)).toEqual({ done: true });
    const trace = await story.client.getTrace(run.run_id);
    expect(trace).toMatchObject({
      run_id: run.run_id,
      workflow_id: run.workflow_id,
      status: "completed",
      started_at: run.started_at,
      completed_at: run.completed_at,
    });
    expect(trace.executor_runs[0]).toMatchObject({
      executor_id: "fetch",
      status: "success",
      duration_ms: fetch?.duration_ms,
      tokens: { prompt: 30, completion: 15, total: 45 },
      structured_output: PRICES,
      tool_calls: [
        {
          tool: LABEL,
          input: { label: "one" },
          output: { done: true },
          status: "success",
          duration_ms: expect.any(Number),
        },
        { tool: LABEL, input: { wrong: 1 }, status: "failed", error_message: calls[1]?.error_message },
      ],
    });
    expect(trace.executor_runs[1]).toMatchObject({ input: PRICES, tools_used: [] });
  });

  it("puts outputs into prompts literally and once [001-032] [001-033] [001-034] [001-035] [001-036] [001-018]", async () => {
    const nasty = { prices: ["$previous_output {{ $.outputs }} {previous_output}"], note: "<<data.1>> \\{{ x }}" };
    story.answers.push(json(nasty), json({ ok: true }));
    await story.run(
      chainOf([
        executor("fetch", { output_schema: { prices: ["str"], note: "str" }, iteration_hint: "Search 4 times" }),
        executor("compare", {
          system_prompt:
            'All: $previous_output\nAgain: {previous_output}\nPart: $previous_output.prices. Return {"alerts": ["str"]}, {{ $.x }} $y $previous_outputs',
        }),
      ]),
    );
    const [first, second] = story.asked();
    expect(first?.system).toBe("You are fetch.\n\nIteration hint: Search 4 times");
    const all = JSON.stringify(nasty, null, 2);
    expect(second?.system).toBe(
      `All: ${all}\nAgain: ${all}\nPart: ${JSON.stringify(nasty.prices, null, 2)}. Return {"alerts": ["str"]}, {{ $.x }} $y $previous_outputs`,
    );
    expect(second?.user).toContain(JSON.stringify({ fetch: nasty }, null, 2));
  });

  it("corrects answers that do not fit, twice at most, and never takes one for a success [001-105] [001-138] [001-139] [001-140] [001-141] [001-142] [001-143] [001-006] [001-104] [001-082]", async () => {
    const one = chainOf([executor("fetch", { output_schema: { count: "int" } })]);
    story.answers.push({ text: "Three, I think.", usage: { input: 10, output: 5 } }, json({ count: "three" }), {
      text: '```json\n{"count": 3}\n```',
      usage: { input: 10, output: 5 },
    });
    const good = await story.run(one);
    expect(good).toMatchObject({ status: "completed", result: { count: 3 } });
    const [, second, third] = story.asked();
    expect(second?.user).toContain("the answer is not JSON");
    expect(third?.user).toMatch(/\$\.count: .*integer/);
    expect((await rows(good.run_id))[0]).toMatchObject({
      retry_count: 2,
      status: "success",
      prompt_tokens: 30,
      completion_tokens: 15,
    });
    story.oven.server.requests.length = 0;
    story.answers.push(json({ count: "1" }), json({ count: "2" }), json({ count: "3" }));
    const bad = await story.run(one);
    expect(story.asked()).toHaveLength(3);
    expect(bad).toMatchObject({
      status: "failed",
      result: null,
      error_message: expect.stringContaining("after 3 attempts"),
    });
    expect((await rows(bad.run_id))[0]).toMatchObject({
      status: "failed",
      error_message: expect.stringContaining("$.count"),
    });
  });

  it("ends at the first failure; what had succeeded stays, and the rest is skipped [001-076] [001-096] [001-108] [001-170] [001-171] [001-199] [001-200]", async () => {
    story.answers.push(json({ ok: true }), { status: 400, message: "no such thing" });
    const run = await story.run(chainOf([executor("one"), executor("two"), executor("three")]));
    expect(run).toMatchObject({
      status: "partial_success",
      result: { ok: true },
      current_executor: 1,
      error_message: expect.stringContaining("no such thing"),
    });
    expect((await rows(run.run_id)).map(({ status }) => status)).toEqual(["success", "failed", "skipped"]);
    expect(story.asked()).toHaveLength(2);
    expect(await story.client.getResult(run.run_id)).toMatchObject({
      status: "partial_success",
      executor_results: [
        { status: "success" },
        { executor_id: "two", status: "failed", error: expect.stringContaining("no such thing") },
        { status: "skipped" },
      ],
      final_output: { ok: true },
    });
    story.answers.push({ status: 400, message: "broken" });
    expect(await story.run(chainOf([executor("one"), executor("two")]))).toMatchObject({
      status: "failed",
      result: null,
    });
  });

  it("is resumed where it failed, or behind it, and is the same run [001-172] [001-173] [001-062] [001-063] [001-064]", async () => {
    story.answers.push(json({ ok: true }), { status: 400, message: "once" }, json({ ok: false }), json({ ok: true }));
    const failed = await story.run(chainOf([executor("one"), executor("two"), executor("three")]));
    const resumed = await story.client.resumeRun(failed.run_id);
    expect(resumed.run_id).toBe(failed.run_id);
    expect(await story.settle(failed.run_id)).toMatchObject({ status: "completed", result: { ok: true } });
    expect(users()).toHaveLength(4);
    expect(story.asked().filter(({ system }) => system.startsWith("You are one"))).toHaveLength(1);
    expect((await rows(failed.run_id)).map(({ status }) => status)).toEqual(["success", "success", "success"]);
    await expect(story.client.resumeRun(failed.run_id)).rejects.toMatchObject({ code: "NOT_RETRYABLE" });
    expect(await story.client.get(failed.workflow_id)).toMatchObject({
      total_runs: 1,
      successful_runs: 1,
      failed_runs: 0,
    });

    story.oven.server.requests.length = 0;
    story.answers.push(json({ ok: true }), { status: 400, message: "again" }, json({ ok: true }));
    const again = await story.client.run(failed.workflow_id, 30);
    expect(again.status).toBe("partial_success");
    await story.client.resumeRun(again.run_id, true);
    expect(await story.settle(again.run_id)).toMatchObject({ status: "completed" });
    expect((await rows(again.run_id)).map(({ status }) => status)).toEqual(["success", "skipped", "success"]);
    expect(users().at(-1)).toBe(
      `Previous executor outputs:\n${JSON.stringify({ one: { ok: true } }, null, 2)}\n\nNow execute your task.`,
    );
    story.answers.push({ status: 400, message: "bad" });
    await story.client.run(failed.workflow_id, 30);
    expect(await story.client.get(failed.workflow_id)).toMatchObject({
      total_runs: 3,
      successful_runs: 2,
      failed_runs: 1,
    });
    expect(await story.client.listRuns(failed.workflow_id)).toHaveLength(3);
  });

  it("is cancelled for good, and took as long as it took [001-174] [001-103]", async () => {
    const { workflow_id } = await story.client.create(
      chainOf([executor("one", { tools: ["slow.hold"] }), executor("two")]),
    );
    const before = Date.now();
    const { run_id } = await story.client.run(workflow_id);
    await expect
      .poll(async () => (await story.client.listToolCalls(run_id)).map(({ status }) => status))
      .toEqual(["running"]);
    const held = Date.now();
    await expect(story.client.resumeRun(run_id)).rejects.toMatchObject({ code: "STILL_RUNNING" });
    expect(await story.client.getRun(run_id)).toMatchObject({ status: "running", current_executor: 0 });
    expect((await rows(run_id)).map(({ status }) => status)).toEqual(["running"]);
    const stopped = Date.now();
    expect(await story.client.cancelRun(run_id)).toMatchObject({ status: "cancelled" });
    const [cancelled] = await rows(run_id);
    expect(cancelled).toMatchObject({ status: "failed", error_message: expect.stringContaining("ancelled") });
    expect(cancelled?.duration_ms).toBeGreaterThanOrEqual(stopped - held);
    expect(cancelled?.duration_ms).toBeLessThanOrEqual(Date.now() - before);
    story.letGo();
    await expect(story.client.resumeRun(run_id)).rejects.toMatchObject({ code: "NOT_RETRYABLE" });
    expect(story.asked()).toHaveLength(1);
  });

  it("ends an executor whose tool never comes back, with that tool's message [001-205] [001-117]", async () => {
    story.answers.push(json({ ok: true }), call("slow_query", {}));
    const run = await story.run(chainOf([executor("one"), executor("two", { tools: ["slow.query"] })]));
    const message = "slow.query did not finish within 30 ms";
    expect(run).toMatchObject({ status: "partial_success", error_message: message });
    expect(story.asked()).toHaveLength(2);
    const { executor_runs } = await story.client.getTrace(run.run_id);
    expect(executor_runs[1]).toMatchObject({
      status: "failed",
      error_message: message,
      tool_calls: [{ tool: "slow.query", status: "timeout", error_message: message }],
    });
  });

  it("leaves loops of its prompt to the model, within a limit [001-045] [001-046]", async () => {
    const one = chainOf([executor("loops", { tools: [LABEL], system_prompt: "Call mail_addLabel 5 times" })]);
    const calls = (count: number) =>
      Array.from({ length: count }, (_, at) => call("mail_addLabel", { label: `${at}` }, `c${at}`));
    story.answers.push(...calls(5), json({ ok: true }));
    const run = await story.run(one);
    expect(run.status).toBe("completed");
    expect(await story.client.listToolCalls(run.run_id)).toHaveLength(5);
    story.answers.push(...calls(20));
    const endless = await story.run(one);
    expect(endless).toMatchObject({ status: "failed", error_message: expect.stringContaining("after 15 iterations") });
  });
});
