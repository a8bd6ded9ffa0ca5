import type { Json, JsonObject } from "@oven/contract";
import type { EngineHarness } from "@oven/engine/testing";
import { defineTool } from "@oven/module-registry";
import { createSandbox, type Sandbox } from "@oven/sandbox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type OpenServices, openServices } from "../../testing/open-services.ts";
import { runAgents } from "../../testing/run-agents.ts";
import { toProgramTools } from "../program-tools.ts";
import { type CompiledProgram, type CompiledTool, compileProgram } from "./compile-program.ts";
import { randomProgram } from "./testing/random-program.ts";

/** Honest programs must not fail on a busy machine. */
const HONEST_MS = 60_000;
const PROGRAMS = 40;

let open: OpenServices;
let sandbox: Sandbox;
let tools: Map<string, CompiledTool>;
const calls: [string, Json][] = [];

const OrderSchema = z.strictObject({
  ...{ id: z.int(), total: z.number(), open: z.boolean(), state: z.string(), tags: z.array(z.string()) },
  note: z.string().nullable(),
});
const orderOf = (id: number): z.infer<typeof OrderSchema> => ({
  ...{ id, total: id * 1.5, open: id % 2 === 0, state: id % 3 === 0 ? "new" : "old" },
  note: id % 2 === 0 ? "n" : null,
  tags: id % 4 === 0 ? [] : ["a", `t${id}`],
});

const get = defineTool({
  id: "store.get",
  title: "Order",
  description: "An order.",
  input: z.strictObject({ id: z.int() }),
  output: OrderSchema,
  effect: "pure",
  permission: "shop.use",
  run: async ({ input }) => {
    calls.push(["store.get", input]);
    return orderOf(input.id);
  },
});
const list = defineTool({
  id: "store.list",
  title: "Orders",
  description: "Ids of orders.",
  input: z.strictObject({ first: z.int(), many: z.int().default(3) }),
  output: z.strictObject({ ids: z.array(z.int()) }),
  effect: "pure",
  permission: "shop.use",
  run: async ({ input: { first, many } }) => {
    calls.push(["store.list", { first, many }]);
    return { ids: Array.from({ length: many }, (_, index) => first + index) };
  },
});
const note = defineTool({
  id: "store.note",
  title: "Note",
  description: "Takes a note; refuses the word no.",
  input: z.strictObject({ text: z.string(), about: z.json().optional() }),
  output: z.json(),
  effect: "at-least-once",
  permission: "shop.use",
  run: async ({ input }) => {
    calls.push(["store.note", input as JsonObject]); // cast: its schema has JSON values only
    if (input.text === "no") throw new Error("that is refused");
    return input.text.length;
  },
});

beforeAll(async () => {
  open = await openServices(() => ({ status: 400, message: "no model" }), { tools: [get, list, note] });
  sandbox = createSandbox();
  open.services.sandbox = sandbox;
  const infos = ["store.get", "store.list", "store.note"].map((id) => open.services.tools.get(id, 1));
  const offered = infos.filter((info) => info !== undefined);
  tools = new Map(
    toProgramTools(offered, []).map(({ name, tool, parameters }) => [
      name,
      { id: tool.id, parameters, answer: tool.outputSchema },
    ]),
  );
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(async () => {
  sandbox.close();
  await open.close();
});

interface Journey {
  calls: [string, Json][];
  status: string;
  result: Json;
  error: Json;
}

async function journey(harness: EngineHarness, input: JsonObject): Promise<Journey> {
  calls.length = 0;
  const id = await harness.execute(input);
  for (let times = 0; times < 20 && harness.columns(id).status === "running"; times += 1) await harness.elapse(60_000);
  const { status, output, errorInfo } = harness.columns(id);
  return { calls: [...calls], status, result: output, error: (errorInfo?.message ?? null) as Json };
}

const asProgram = (code: string, inputs: JsonObject): EngineHarness =>
  runAgents(
    {
      initial: "work",
      states: {
        work: {
          invoke: {
            src: "agent.code",
            input: {
              ...{ code, tools: ["store.*"], timeoutMs: HONEST_MS, maxCalls: 1_000 },
              inputs: Object.fromEntries(Object.keys(inputs).map((name) => [name, `$.trigger.${name}`])),
            },
            onDone: "done",
          },
        },
        done: { type: "final", output: "$.work_output.result" },
      },
    },
    open.services,
  );

/** Runs a program, and the graph that it is compiled to. */
async function both(code: string, inputs: JsonObject = {}) {
  const compiled = compileProgram({
    ...{ code, tools, inputs: Object.keys(inputs), limits: { timeoutMs: HONEST_MS, maxCalls: 1_000 } },
  });
  const program = await journey(asProgram(code, inputs), inputs);
  const graph = await journey(runAgents(compiled.definition, open.services), inputs);
  return { compiled, program, graph };
}

const kinds = ({ notes }: CompiledProgram): string[] => notes.map(({ kind, line }) => `${kind} ${line}`);
const steps = ({ definition }: CompiledProgram): number => JSON.stringify(definition).split('"invoke"').length - 1;

const CASES: [name: string, code: string, notes: string[], inputs?: JsonObject][] = [
  ["calls one after the other", "a = await store_get(id=1)\nb = await store_get(a['id'])\nb['total']", []],
  ["the answer of a call as its result", "await store_get(id=1)", []],
  ["a call whose answer is not needed", "await store_note(text='hello')\nNone", []],
  [
    "a loop over a list of a tool",
    "for n in (await store_list(first=4))['ids']:\n    await store_get(id=n)\n'done'",
    [],
  ],
  [
    "a loop over an input",
    "total = 0\nfor n in numbers:\n    order = await store_get(id=n)\n    if order['open']:\n        total += order['total']\ntotal",
    ["code 2", "code 4"],
    { numbers: [1, 2, 3, 4] },
  ],
  [
    "conditions of every kind",
    [
      "seen = []",
      "for n in (await store_list(first=1, many=9))['ids']:",
      "    order = await store_get(id=n)",
      "    if order['total'] > 3 and not order['open']:",
      "        await store_note(text='a')",
      "    elif order['state'] == 'new' or len(order['tags']) == 0:",
      "        await store_note(text='b')",
      "    elif order['tags']:",
      "        continue",
      "    else:",
      "        await store_note(text='c')",
      "    seen.append(n)",
      "seen",
    ].join("\n"),
    ["code 12"],
  ],
  [
    "an early return",
    "order = await store_get(id=2)\nif order['open']:\n    return 'open'\nawait store_note(text='closed')\n'closed'",
    [],
  ],
  [
    "a return in a loop: from there on it stays a program",
    "await store_note(text='x')\nfor n in [1, 2, 3]:\n    order = await store_get(id=n)\n    if order['open']:\n        return n\nNone",
    ["program 2"],
  ],
  [
    "a call that may fail",
    "notes = []\nfor text in ['a', 'no', 'b']:\n    try:\n        await store_note(text=text)\n    except RuntimeError as error:\n        notes.append(str(error))\nnotes",
    ["program 3"],
  ],
  [
    "calls made together",
    "import asyncio\na, b = await asyncio.gather(store_get(id=1), store_get(id=2))\n[a['id'], b['id']]",
    ["code 2"],
  ],
  [
    "many calls made together stay a program",
    "import asyncio\nmany = await asyncio.gather(*[store_get(id=n) for n in range(3)])\n[one['id'] for one in many]",
    ["program 2", "code 3"],
  ],
  [
    "a call within an expression",
    "x = 1\nx += (await store_get(id=2))['id'] * 2\nf\"{x} is {(await store_note(text='four'))}\"",
    ["code 2", "program 3"],
  ],
  [
    "functions and modules",
    "import json\ndef double(n):\n    return n * 2\norder = await store_get(id=double(3))\njson.dumps({'id': double(order['id'])})",
    ["code 4", "code 5", "numbers 5"],
  ],
  [
    "a function that calls tools",
    "async def look(n):\n    return (await store_get(id=n))['id']\nawait store_note(text='begin')\nfound = await look(3)\nawait store_note(text=str(found))\nfound",
    ["program 4"],
  ],
  [
    "a value that may be None",
    "seen = []\nfor n in [1, 2]:\n    order = await store_get(id=n)\n    if order['note'] is None:\n        await store_note(text='none')\n    if order['note'] is not None and order['id'] > 1:\n        await store_note(text=order['note'])\n1",
    [],
  ],
  [
    "a function that remembers stays in one piece with its calls",
    "def count(n, seen=[]):\n    seen.append(n)\n    return len(seen)\na = count(1)\nawait store_get(id=a)\nawait store_get(id=count(2))\ncount(3)",
    ["program 4"],
  ],
  [
    "nothing to do is no step",
    "if (await store_get(id=2))['open']:\n    pass\nelse:\n    await store_get(id=3)\n1",
    [],
  ],
  [
    "a set stays in one piece with what reads it",
    "seen = set()\nfor n in [1, 2, 1]:\n    if n not in seen:\n        await store_get(id=n)\n        seen.add(n)\nawait store_note(text='end')\nlen(seen)",
    ["program 1"],
  ],
  [
    "a list under two names stays in one piece",
    "a = []\nb = a\nawait store_get(id=1)\nb.append(1)\nawait store_get(id=2)\na",
    ["program 1"],
  ],
  [
    "what a loop changes stays in one piece",
    "orders = [await store_get(id=1)]\nfor order in orders:\n    order['id'] = 7\n    await store_get(id=8)\norders",
    ["program 1"],
  ],
  [
    "a list that is filled is handed on",
    "found = []\nfor n in [1, 2]:\n    found.append(await store_get(id=n))\n[one['id'] for one in found]",
    ["code 3", "code 4"],
  ],
  [
    "a dict by texts is handed on",
    "by = {}\nfor n in [1, 2, 3]:\n    order = await store_get(id=n)\n    by[order['state']] = n\nby",
    ["code 4"],
  ],
  [
    "a dict by numbers stays in one piece",
    "by = {}\nfor n in [1, 2]:\n    order = await store_get(id=n)\n    by[n] = order['id']\nlist(by.values())",
    ["program 1"],
  ],
  ["pairs", "for i, n in enumerate([5, 6]):\n    await store_get(id=n + i)\n'x'", ["code 1", "code 2"]],
  [
    "a variable that may have no value stays with what reads it",
    "for n in [2, 4]:\n    order = await store_get(id=n)\n    if order['open']:\n        last = n\nawait store_note(text='x')\nlast",
    ["program 1"],
  ],
  [
    "a loop within a loop",
    "out = []\nfor a in [1, 2]:\n    for b in (await store_list(first=a, many=2))['ids']:\n        if b == 2:\n            continue\n        out.append((await store_get(id=b))['id'])\nout",
    ["code 6"],
  ],
  [
    "a while stays a program",
    "n = 0\nwhile n < 3:\n    n += (await store_get(id=1))['id']\nawait store_note(text='end')\nn",
    ["program 2"],
  ],
  [
    "texts that look like paths",
    "await store_note(text='$.trigger', about={'a': '{{ $.x }}', 'b': [1, -2.5, None, True]})\n'$.vars.x'",
    [],
  ],
  [
    "a comprehension with its own names",
    "ids = (await store_list(first=1))['ids']\nopen = [n * 2 for n in ids if n > 1]\nfor n in open:\n    await store_get(id=n)\nopen",
    ["code 2"],
  ],
  [
    "lines that are long",
    "await store_note(\n    text='a'\n    + 'b',\n)\nif (\n    True\n):\n    text = \"\"\"one\n  two\"\"\"\n    await store_note(text=text)\n'end'",
    ["code 1", "code 8"],
  ],
];

describe("a compiled program makes the same calls and comes to the same result", () => {
  test.each(CASES)("%s", async (_name, code, notes, inputs = {}) => {
    const { compiled, program, graph } = await both(code, inputs);
    expect(program.status, JSON.stringify(program)).toBe("completed");
    expect(graph).toEqual(program);
    expect(kinds(compiled)).toEqual(notes);
  });

  test.each([
    [
      "a call that fails ends both, with what it said",
      "await store_get(id=1)\nawait store_note(text='no')\nawait store_get(id=2)",
      "that is refused",
    ],
    [
      "an exception ends both at its place",
      "order = await store_get(id=1)\nx = 1 / 0\nawait store_get(id=2)",
      "ZeroDivisionError",
    ],
    ["a key that is not there ends both", "about = await store_get(id=1)\nawait store_get(id=about['none'])", "none"],
  ])("%s", async (_name, code, message) => {
    const { program, graph } = await both(code);
    expect([program.status, graph.status]).toEqual(["failed", "failed"]);
    expect(graph.calls).toEqual(program.calls);
    for (const { error } of [program, graph]) expect(error).toContain(message);
  });

  test(`${PROGRAMS} programs that are written at random`, async () => {
    let [divided, completed] = [0, 0];
    for (let seed = 1; seed <= PROGRAMS; seed += 1) {
      const code = randomProgram(seed);
      const { compiled, program, graph } = await both(code, { numbers: [3, 1, 2] });
      expect(graph.calls, `seed ${seed}: ${graph.error}\n${code}`).toEqual(program.calls);
      expect(graph.result, `seed ${seed}:\n${code}`).toEqual(program.result);
      expect(graph.status, `seed ${seed}:\n${code}`).toBe(program.status);
      if (steps(compiled) > 2) divided += 1;
      if (program.status === "completed") completed += 1;
    }
    expect(completed).toBeGreaterThan(PROGRAMS / 2);
    expect(divided).toBeGreaterThan(PROGRAMS / 2);
  });
});
