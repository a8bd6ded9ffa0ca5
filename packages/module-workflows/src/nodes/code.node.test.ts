import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

describe("core.code", () => {
  let oven: TestOven;
  beforeAll(async () => {
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules });
  });
  afterAll(() => oven.stop());

  let count = 0;
  const code = (input: object, onDone: unknown = "done") => ({ invoke: { src: "core.code", input, onDone } });
  const create = (states: object) =>
    oven.call("POST", "workflows", {
      name: `Code ${++count}`,
      definition: { initial: "one", states: { ...states, done: { type: "final" } } },
    });
  async function run(states: object, input: object = {}) {
    const created = await create(states);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { body } = await oven.call("POST", `workflows/${created.body.id}/execute?wait=30`, { input });
    return (await oven.call("GET", `workflow-executions/${body.id}`)).body;
  }

  it("answers what the code returns for its inputs, and what it prints", async () => {
    const body = await run(
      {
        one: code(
          {
            code: "const open = orders.filter((o) => o.open);\nconsole.log(open.length, 'of', orders.length);\nreturn { sum: open.reduce((s, o) => s + o.total, rest), at: new Date(at).getUTCFullYear() };",
            inputs: { orders: "$.trigger.orders", rest: 0.5, at: "$.execution.startedAt" },
          },
          "two",
        ),
        two: {
          invoke: { src: "core.transform", input: { mapping: { sum: "$.one_output.result.sum" } }, onDone: "done" },
        },
      },
      {
        orders: [
          { open: true, total: 2 },
          { open: false, total: 5 },
          { open: true, total: 40 },
        ],
      },
    );
    expect(body, JSON.stringify(body)).toMatchObject({ status: "completed" });
    expect(body.nodes[0].output).toEqual({
      result: { sum: 42.5, at: Number(body.startedAt.slice(0, 4)) },
      logs: ["2 of 3"],
    });
    expect(body.nodes[1].output).toEqual({ sum: 42.5 });
  });

  it("runs Python", async () => {
    const body = await run(
      {
        one: code({
          language: "python",
          code: "print(f'{len(orders)} orders')\n{'sum': sum(o['total'] for o in orders), 'braces': '{{ $.trigger }}'}",
          inputs: { orders: "$.trigger.orders" },
        }),
      },
      { orders: [{ total: 2 }, { total: 40.5 }] },
    );
    expect(body.nodes[0].output).toEqual({
      result: { sum: 42.5, braces: "{{ $.trigger }}" },
      logs: ["2 orders"],
    });
    const failed = await run({ one: code({ language: "python", code: "x = 1\nimport numpy" }) });
    expect(failed).toMatchObject({ status: "failed", errorInfo: { code: "CODE_FAILED", details: { line: 2 } } });
  });

  it("takes code as it is written, whatever stands in it", async () => {
    for (const [text, result] of [
      ["return '{{ $.trigger.name }}' + [1, 2]", "{{ $.trigger.name }}1,2"],
      ["return '{{'", "{{"],
      ["$.x; return 1", 1],
      ["return '$.trigger.name'", "$.trigger.name"],
      ["return '{{ $config.NOT_THERE }}'", "{{ $config.NOT_THERE }}"],
      ['return \'{"$cel": "1"}\'', '{"$cel": "1"}'],
    ]) {
      const body = await run({ one: code({ code: text, inputs: { $: {} } }) }, { name: "Ada" });
      expect(body.nodes[0].output, String(text)).toEqual({ result, logs: [] });
    }
  });

  it("refuses code that a run would compute, and a language that it would choose", async () => {
    for (const [input, path] of [
      [{ code: { $cel: "ctx.trigger.code" } }, "$.states.one.invoke.input.code"],
      [{ code: "return 1", language: "$.trigger.language" }, "$.states.one.invoke.input.language"],
    ] as const) {
      const { status, body } = await create({ one: code(input) });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(path);
    }
  });

  it("refuses a name that code cannot read when the definition is checked", async () => {
    const { status, body } = await create({
      one: code({ code: "return 1", inputs: { "order total": "$.trigger.total" }, timeoutMs: "$.trigger.ms" }),
    });
    expect(status).toBe(400);
    expect(body.error.details.problems).toContainEqual(
      expect.objectContaining({
        path: "$.states.one.invoke.input.inputs",
        message: 'core.code: "order total" cannot be the name of an input: code reads it as a variable',
        fix: "Name it as a variable, such as order or orderTotal.",
      }),
    );
  });

  it("fails with the code, line and message of what the code did", async () => {
    const body = await run({ one: code({ code: "console.log('here');\nthrow new RangeError('too far')" }) });
    expect(body).toMatchObject({
      status: "failed",
      errorInfo: {
        code: "CODE_FAILED",
        message: "RangeError: too far (line 2)",
        nodeId: "one",
        details: { line: 2, name: "RangeError", logs: ["here"] },
      },
    });
    const caught = await run({
      one: {
        invoke: { src: "core.code", input: { code: "for (;;);", timeoutMs: 100 }, onDone: "done", onError: "sorry" },
      },
      sorry: { type: "final", output: "$.one_error.code" },
    });
    expect(caught).toMatchObject({ status: "completed", output: "CODE_TIMEOUT" });
  });

  it("gives each visit random numbers of its own", async () => {
    const random = { code: "return Math.random()" };
    const body = await run({ one: code(random, "two"), two: code(random) });
    const [one, two] = body.nodes.map(({ output }: { output: { result: number } }) => output.result);
    expect(one).not.toBe(two);
  });
});
