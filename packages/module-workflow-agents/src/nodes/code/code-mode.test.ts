import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { EngineHarness } from "@oven/engine/testing";
import { defineTool } from "@oven/module-registry";
import { createSandbox, type Sandbox } from "@oven/sandbox";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type OpenServices, openServices } from "../testing/open-services.ts";
import { runAgents } from "../testing/run-agents.ts";

/** Honest programs must not fail on a busy machine. */
const HONEST_MS = 60_000;

let open: OpenServices;
let sandbox: Sandbox;
let replies: ModelReply[] = [];
/** Calls of `till.*` tools, with the keys that they came with. */
const paid: [amount: number, key: string][] = [];
let busyTimes = 0;

const refund = defineTool({
  id: "till.refund",
  title: "Refund",
  description: "Pays an order back.",
  input: z.strictObject({ amount: z.number(), note: z.string().optional() }),
  output: z.strictObject({ paid: z.number() }),
  effect: "at-most-once",
  needsApproval: { when: "args.amount > 100.0" },
  permission: "shop.use",
  run: async ({ input, idempotencyKey }) => {
    paid.push([input.amount, idempotencyKey]);
    return { paid: input.amount };
  },
});
const busy = defineTool({
  id: "till.busy",
  title: "Busy",
  description: "Is busy at first.",
  input: z.strictObject({}),
  output: z.strictObject({ ok: z.boolean() }),
  effect: "idempotent",
  permission: "shop.use",
  run: async () => {
    busyTimes += 1;
    if (busyTimes < 3) throw new OvenError("HTTP_STATUS", "the till is busy", { retryable: true });
    return { ok: true };
  },
});

beforeAll(async () => {
  open = await openServices(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
    tools: [refund, busy],
  });
  sandbox = createSandbox();
  open.services.sandbox = sandbox;
});
beforeEach(() => {
  open.calls.length = 0;
  open.server.requests.length = 0;
  paid.length = 0;
  replies = [];
  busyTimes = 0;
});
afterAll(async () => {
  sandbox.close();
  await open.close();
});

const code = (input: JsonObject, more: JsonObject = {}): EngineHarness =>
  runAgents(
    {
      initial: "work",
      agentConfig: { model: "openai:test" },
      states: {
        work: {
          invoke: {
            src: "agent.code",
            input: { tools: ["*"], timeoutMs: HONEST_MS, ...input },
            onDone: "done",
            ...more,
          },
        },
        done: { type: "final", output: "$.work_output" },
      },
    },
    open.services,
  );
const program = (text: string): ModelReply => ({ text: `Here it is:\n\`\`\`python\n${text}\n\`\`\`\n` });

/** Lets the time pass after which failed calls are made again. */
async function retried(harness: EngineHarness, id: number): Promise<void> {
  for (let times = 0; times < 10 && harness.columns(id).status === "running"; times += 1) await harness.elapse(60_000);
}

async function outputOf(harness: EngineHarness): Promise<Json> {
  const id = await harness.execute();
  await retried(harness, id);
  const { status, output, errorInfo } = harness.columns(id);
  if (status !== "completed") throw new Error(`it is ${status}: ${JSON.stringify(errorInfo)}`);
  return output;
}

const LOOP = `total = 0
for order in orders:
    seen = await shop_get(id=order)
    total += seen["seen"]
total
`;

describe("a program that a person has written", () => {
  test("calls tools in its loop, each as an item with a row and a key of its own", async () => {
    const harness = code({ code: LOOP, inputs: { orders: [1, 2, 3] } });
    const id = await harness.execute();
    expect(harness.columns(id).output).toEqual({ result: 6, program: LOOP, calls: 3, corrections: 0 });
    expect(open.calls.map(([tool, input]) => [tool, input])).toEqual(
      [1, 2, 3].map((order) => ["shop.get", { id: order }]),
    );
    expect(new Set(open.calls.map(([, , key]) => key)).size).toBe(3);
    expect(harness.rows(id).filter((row) => row.includes("call-"))).toEqual([
      "work.tools#1/call-1 completed",
      "work.tools#2/call-2 completed",
      "work.tools#3/call-3 completed",
    ]);
    expect(open.server.requests).toEqual([]);
  });

  test("makes calls together that it awaits together", async () => {
    const text = `import asyncio
seen = await asyncio.gather(*[shop_get(id=n) for n in range(3)])
[one["seen"] for one in seen]`;
    const harness = code({ code: text });
    const id = await harness.execute();
    expect(harness.columns(id).output).toMatchObject({ result: [0, 1, 2], calls: 3 });
    expect(harness.rows(id).filter((row) => row.startsWith("work.tools#"))).toEqual([
      "work.tools#1 completed",
      "work.tools#1/call-1 completed",
      "work.tools#1/call-2 completed",
      "work.tools#1/call-3 completed",
    ]);
  });

  test("waits for a review that is bound to a call's arguments, and goes on in the middle of its loop", async () => {
    const text = `paid = 0
for amount in [50, 150, 60]:
    answer = await till_refund(amount=amount)
    paid += answer["paid"]
paid`;
    const harness = code({ code: text });
    const id = await harness.execute();
    expect(harness.columns(id).status).toBe("paused");
    expect(paid.map(([amount]) => amount)).toEqual([50]);
    const [review] = [...harness.store.reviews.values()];
    expect(review?.open.request).toMatchObject({ tool: "till.refund", proposal: { amount: 150 } });
    harness.restart();
    await harness.decide([...harness.store.reviews.keys()][0] ?? 0, "edit", { amount: 120 });
    expect(harness.columns(id).output).toMatchObject({ result: 230, calls: 3 });
    expect(paid.map(([amount]) => amount)).toEqual([50, 120, 60]);
  });

  test("gets a refused and a failed call as an exception that it can catch", async () => {
    const text = `notes = []
try:
    await till_refund(amount=500)
except RuntimeError as error:
    notes.append(str(error))
try:
    await shop_broken(id=1)
except RuntimeError as error:
    notes.append(str(error))
notes`;
    const harness = code({ code: text });
    const id = await harness.execute();
    await harness.decide([...harness.store.reviews.keys()][0] ?? 0, "reject");
    await retried(harness, id);
    expect(harness.columns(id).output).toMatchObject({
      result: [expect.stringContaining("A person declined this call"), expect.stringContaining("the shelf is locked")],
    });
    expect(paid).toEqual([]);
  });

  test("has its calls checked by the server: tool, schema and what the step allows", async () => {
    const text = `notes = []
for call in [lambda: shop_get(id="x"), lambda: shop_get(id=1, more=2)]:
    try:
        await call()
    except RuntimeError as error:
        notes.append(str(error)[:40])
notes`;
    const { result } = (await outputOf(code({ code: text }))) as { result: string[] }; // cast: two notes
    expect(result).toHaveLength(2);
    expect(open.calls).toEqual([]);
    const other = code({ code: "await shop_list(id=1)", tools: ["shop.get"] });
    const id = await other.execute();
    expect(other.columns(id)).toMatchObject({ status: "failed" });
    expect(other.columns(id).errorInfo).toMatchObject({
      message: expect.stringContaining("name 'shop_list' is not defined"),
    });
    expect(open.calls).toEqual([]);
  });

  test("is tried again at a call that may pass, by the step's own retry", async () => {
    const retry = { maxAttempts: 3, backoff: "fixed", initialMs: 10 };
    const harness = code({ code: "(await till_busy())['ok']" }, { retry });
    const id = await harness.execute();
    await retried(harness, id);
    expect(harness.columns(id).output).toMatchObject({ result: true, calls: 1 });
    expect(busyTimes).toBe(3);
  });

  test("may make so many calls and no more", async () => {
    const harness = code({ code: LOOP, inputs: { orders: [1, 2, 3] }, maxCalls: 2 });
    const id = await harness.execute();
    expect(harness.columns(id).errorInfo).toMatchObject({ code: "CODE_CALL_LIMIT" });
    expect(open.calls).toHaveLength(2);
  });

  test("fails with its line where it fails", async () => {
    const harness = code({ code: "a = 1\nb = a / 0" });
    const id = await harness.execute();
    expect(harness.columns(id).errorInfo).toMatchObject({
      code: "CODE_FAILED",
      message: expect.stringContaining("(line 2)"),
    });
  });

  test("is taken as it is written", async () => {
    const text = `"{{ $.trigger }} and $.messages"`;
    expect(await outputOf(code({ code: text }))).toMatchObject({
      result: "{{ $.trigger }} and $.messages",
      program: text,
    });
  });

  test("calls nothing in a dry run", async () => {
    const harness = code({ code: "import asyncio\nawait asyncio.gather(shop_get(id=1), till_refund(amount=1))" });
    const id = await harness.execute({}, { dryRun: true });
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: { result: [null, null], calls: 2 } });
    expect(paid).toEqual([]);
    expect(open.calls).toEqual([]);
  });

  test("begins anew each time that its step is entered", async () => {
    const harness = runAgents(
      {
        initial: "each",
        states: {
          each: {
            loop: {
              type: "forEach",
              collection: [1, 2],
              bodyInitial: "work",
              bodyStates: {
                work: {
                  invoke: {
                    src: "agent.code",
                    input: {
                      tools: ["shop.get"],
                      code: "(await shop_get(id=n))['seen'] * 10",
                      inputs: { n: "$.item" },
                    },
                    onDone: "body_end",
                  },
                },
                body_end: { type: "final", output: "$.work_output.result" },
              },
              onDone: "done",
            },
          },
          done: { type: "final", output: "$.each_output" },
        },
      },
      open.services,
    );
    expect(await outputOf(harness)).toMatchObject({ items: [{ output: 10 }, { output: 20 }] });
  });
});

describe("where the session of a program cannot be read", () => {
  test("it begins anew with the recorded answers, and makes no call again", async () => {
    const { advance } = sandbox;
    let unread = 0;
    const forgetful: Sandbox = {
      ...sandbox,
      check: sandbox.check,
      async advance(request) {
        if (!("session" in request.from)) return advance(request);
        unread += 1;
        const session = request.from.session.replace(/"format":"[^"]+"/, '"format":"monty-9/1"');
        return advance({ ...request, from: { ...request.from, session } });
      },
    };
    open.services.sandbox = forgetful;
    try {
      const harness = code({ code: LOOP, inputs: { orders: [1, 2, 3] } });
      expect(await outputOf(harness)).toMatchObject({ result: 6, calls: 3 });
    } finally {
      open.services.sandbox = sandbox;
    }
    expect(unread).toBe(3);
    expect(open.calls).toHaveLength(3);
  });
});

describe("a program that a model writes", () => {
  test("is asked for once, over the tools as typed functions", async () => {
    replies = [program(LOOP)];
    const output = await outputOf(code({ prompt: "Sum the orders", tools: ["shop.get"], inputs: { orders: [4, 5] } }));
    expect(output).toMatchObject({ result: 9, calls: 2, corrections: 0 });
    const [request] = open.server.requests;
    expect(open.server.requests).toHaveLength(1);
    const asked = JSON.stringify(request?.body);
    expect(asked).toContain("async def shop_get(id: int) -> ShopGetResult:");
    expect(asked).toContain("Sum the orders");
    expect(request?.body.tools).toBeUndefined();
    expect(request?.body.stream ?? false).toBe(false);
  });

  test("goes back to the model with what is wrong: types, then an exception, each once", async () => {
    replies = [
      program('total = await shop_get(id="one")\ntotal'),
      program("seen = await shop_get(id=1)\nseen['seen'] / 0"),
      program("seen = await shop_get(id=2)\nseen['seen']"),
    ];
    const output = await outputOf(code({ prompt: "Go", tools: ["shop.get"] }));
    expect(output).toMatchObject({ result: 2, calls: 2, corrections: 2 });
    const [, types, failed] = open.server.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(types).toContain("Expected `int`");
    expect(failed).toContain("ZeroDivisionError");
    expect(failed).toContain("line 2");
    // What was done already, so that it is not done again.
    expect(failed).toContain(String.raw`shop.get({\"id\":1}): {\"seen\":1}`);
  });

  test("fails once the corrections are used up", async () => {
    replies = [program("def (:"), program("def (:")];
    const harness = code({ prompt: "Go", maxCorrections: 1 });
    const id = await harness.execute();
    expect(harness.columns(id).errorInfo).toMatchObject({ code: "CODE_SYNTAX" });
    expect(open.server.requests).toHaveLength(2);
  });

  test("is corrected where its result does not fit the schema", async () => {
    replies = [program("'four'"), program("4")];
    const output = await outputOf(code({ prompt: "Go", outputSchema: { type: "integer" } }));
    expect(output).toMatchObject({ result: 4, corrections: 1 });
  });
});

describe("a program that is written again", () => {
  /** Fails behind its calls; the next one begins from the start. */
  const failing = (calls: string): ModelReply => program(`${calls}\n1 / 0`);

  test("does not do again what the one before did: equal calls are answered from the record", async () => {
    replies = [
      failing("await till_refund(amount=10)\nawait till_refund(amount=20)"),
      program("paid = 0\nfor amount in [10, 20, 30]:\n    paid += (await till_refund(amount=amount))['paid']\npaid"),
    ];
    const harness = code({ prompt: "Go", tools: ["till.refund"] });
    expect(await outputOf(harness)).toMatchObject({ result: 60, calls: 5, corrections: 1 });
    expect(paid.map(([amount]) => amount)).toEqual([10, 20, 30]);
    const said = JSON.stringify(open.server.requests.at(-1)?.body.messages);
    expect(said).toContain("is answered from this record, and not made again");
  });

  test("makes the calls that go beyond those before it, also where they are asked for together", async () => {
    replies = [
      failing("await till_refund(amount=10)"),
      failing("import asyncio\nawait asyncio.gather(till_refund(amount=10), till_refund(amount=10))"),
      program("for n in range(3):\n    await till_refund(amount=10)\n'end'"),
    ];
    expect(await outputOf(code({ prompt: "Go", tools: ["till.refund"] }))).toMatchObject({ result: "end", calls: 6 });
    expect(paid.map(([amount]) => amount)).toEqual([10, 10, 10]);
    expect(new Set(paid.map(([, key]) => key)).size).toBe(3);
  });

  test("asks again what only reads", async () => {
    replies = [failing("await shop_get(id=1)"), program("(await shop_get(id=1))['seen']")];
    expect(await outputOf(code({ prompt: "Go", tools: ["shop.get"] }))).toMatchObject({ result: 1 });
    expect(open.calls).toHaveLength(2);
  });

  test("knows a call by what was asked for, whatever a person made of it", async () => {
    replies = [failing("await till_refund(amount=150)"), program("(await till_refund(amount=150))['paid']")];
    const harness = code({ prompt: "Go", tools: ["till.refund"] });
    const id = await harness.execute();
    await harness.decide([...harness.store.reviews.keys()][0] ?? 0, "edit", { amount: 120 });
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: { result: 120 } });
    expect(harness.store.reviews.size).toBe(1);
    expect(paid.map(([amount]) => amount)).toEqual([120]);
  });

  test("is refused again what a person refused, and does not ask a second time", async () => {
    const text = "try:\n    await till_refund(amount=150)\nexcept RuntimeError as error:\n    said = str(error)";
    replies = [failing(text), program(`${text}\nsaid`)];
    const harness = code({ prompt: "Go", tools: ["till.refund"] });
    const id = await harness.execute();
    await harness.decide([...harness.store.reviews.keys()][0] ?? 0, "reject");
    expect(harness.columns(id).output).toMatchObject({
      result: expect.stringContaining("A person declined this call"),
    });
    expect(harness.store.reviews.size).toBe(1);
    expect(paid).toEqual([]);
  });

  test("makes a call again that failed, where its tool may act more than once", async () => {
    replies = [
      failing("try:\n    await till_busy()\nexcept RuntimeError:\n    pass"),
      program("(await till_busy())['ok']"),
    ];
    const harness = code(
      { prompt: "Go", tools: ["till.busy"] },
      { retry: { maxAttempts: 2, backoff: "fixed", initialMs: 10 } },
    );
    expect(await outputOf(harness)).toMatchObject({ result: true, calls: 2 });
    expect(busyTimes).toBe(3);
  });
});

describe("tools of the step alone", () => {
  const stepTools = [
    {
      name: "double",
      description: "Doubles a number",
      parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      src: "core.transform",
      input: { mapping: { twice: { $cel: "ctx.toolArguments.n * 2.0" } } },
    },
  ];

  test("are functions beside the registered ones", async () => {
    const text = "a = await double(n=4)\nb = await shop_get(id=1)\n[a, b['seen']]";
    const { result } = (await outputOf(code({ code: text, stepTools }))) as { result: Json }; // cast: as the program says
    expect(result).toEqual([{ twice: 8 }, 1]);
  });
});
