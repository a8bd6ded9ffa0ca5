import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

const definition = {
  initial: "keep",
  context: { kept: null },
  states: {
    keep: {
      invoke: {
        src: "core.transform",
        input: { mapping: { value: "$.trigger.value" } },
        onDone: { target: "ask", actions: [{ type: "assign", params: { path: "$.kept", value: "$.trigger.value" } }] },
      },
    },
    // A run that is put away and taken up again reads everything back from the database.
    ask: { invoke: { src: "agent.humanReview", input: { title: "?", show: "$.kept" }, onDone: "again" } },
    again: { invoke: { src: "core.transform", input: { mapping: { value: "$.kept" } }, onDone: "done" } },
    done: { type: "final", output: "$.again_output.value" },
  },
};

function deep(levels: number): unknown {
  let value: unknown = { bottom: true };
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { level, value };
  return value;
}

/** Values in JSON's own words, so that nothing between here and the wire can round them. */
const VALUES: [string, string][] = [
  ["close to a megabyte of text", JSON.stringify('ä€😀\\" '.repeat(60_000))],
  ["a list of 50,000 numbers", JSON.stringify(Array.from({ length: 50_000 }, (_, index) => index / 7))],
  [
    "lone surrogates, NUL and what no text column holds",
    '{"a":"x\\ud800y","b":"\\udc00","c":"\\u0000","\\u0000\\ud800":1,"d":"\\ufffe\\uffff"}',
  ],
  [
    "keys that JavaScript takes for its own",
    '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":"x","":0}',
  ],
  ["keys in an order of their own", '{"z":1,"a":2,"10":"ten","9":"nine","m":{"b":1,"a":2}}'],
  [
    "numbers at the ends of a double",
    "[9007199254740991,-9007199254740991,1e+21,5e-324,1.7976931348623157e+308,0.1,-0.3]",
  ],
  [
    "integers beyond a double, as text",
    '{"exact":"9007199254740993","larger":"340282366920938463463374607431768211456"}',
  ],
  ["nesting", JSON.stringify(deep(60))],
  ["empties", '{"n":null,"f":false,"s":"","l":[],"o":{},"ll":[[],[null]]}'],
];

describe.each(testDatabases(inject("postgresUrl")))("values that pass through a run on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  let workflow: number;
  beforeAll(async () => {
    test = await open();
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }), db: test.db });
    const made = await oven.call("POST", "workflows", { name: "Keep", definition });
    expect(made.status).toBe(201);
    workflow = made.body.id;
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  /** The body as text: what a client would parse. */
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await oven.fetch(path, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
    return { status: answer.status, text: await answer.text() };
  };

  it.each(VALUES)("%s: they come back equal, also after a pause", async (_name, value) => {
    const sent = JSON.stringify(JSON.parse(value));
    const paused = await post(`workflows/${workflow}/execute?wait=20`, `{"input":{"value":${value}}}`);
    expect(paused.status).toBe(200);
    const run = JSON.parse(paused.text);
    expect(run.status).toBe("paused");
    const approved = await post(`workflow-executions/${run.id}/resume`, '{"action":"approve"}');
    expect(approved.status).toBe(200);
    const read = async () => JSON.parse(await (await oven.fetch(`workflow-executions/${run.id}`)).text());
    await expect.poll(async () => (await read()).status).toBe("completed");
    const ended = await read();
    expect(JSON.stringify(ended.context.kept)).toBe(sent);
    expect(JSON.stringify(ended.output)).toBe(sent);
    expect(JSON.stringify(ended.input.value)).toBe(sent);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("an Idempotency-Key is taken with any input, and knows it again", async () => {
    const body = '{"input":{"value":"half \\ud800 a pair"}}';
    const first = await post(`workflows/${workflow}/execute`, body, { "idempotency-key": "half" });
    expect(first.status).toBe(202);
    const second = await post(`workflows/${workflow}/execute`, body, { "idempotency-key": "half" });
    expect([second.status, JSON.parse(second.text).id]).toEqual([202, JSON.parse(first.text).id]);
  });
});
