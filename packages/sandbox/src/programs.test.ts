import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isOvenError, type Json, type JsonObject, type OvenError } from "@oven/contract";
import { afterAll, describe, expect, it } from "vitest";
import { type CallAnswer, createSandbox, type ProgramCall, type ProgramRequest, type ProgramStep } from "./index.ts";
import { MONTY_VERSION } from "./process/python/session.ts";

/** Honest code must not fail on a busy machine. */
const HONEST_MS = 30_000;
const sandbox = createSandbox();
afterAll(() => sandbox.close());

const functions = [
  { name: "orders_get", parameters: ["id", "extra"] },
  { name: "orders_refund", parameters: ["id"] },
];
type More = Partial<Omit<ProgramRequest, "code">>;
const advance = (code: string, more: More = {}) =>
  sandbox.advance({
    code,
    functions,
    inputs: {},
    from: { answers: [] },
    ...more,
    limits: { timeMs: HONEST_MS, ...more.limits },
  });

const total = ({ arguments: { id } }: ProgramCall): CallAnswer => ({
  value: { id: id ?? null, total: Number(id) * 10 },
});

interface Journey {
  result: Json;
  /** The calls at each place where it waited. */
  waits: ProgramCall[][];
  logs: string[];
  sessions: string[];
}

/** Runs a program to its end; each part may run in another process. */
async function journey(code: string, answer = total, more: More = {}): Promise<Journey> {
  const [waits, logs, sessions]: [ProgramCall[][], string[], string[]] = [[], [], []];
  let step: ProgramStep = await advance(code, more);
  for (;;) {
    logs.push(...step.logs);
    if (step.type === "result") return { result: step.result, waits, logs, sessions };
    if (step.type === "unreadable") throw new Error(step.message);
    waits.push(step.calls);
    sessions.push(step.session);
    step = await advance(code, { ...more, from: { session: step.session, answers: step.calls.map(answer) } });
  }
}

async function failure(attempt: Promise<unknown>): Promise<OvenError> {
  const error: unknown = await attempt.then(
    (value) => `it answered ${JSON.stringify(value)}`,
    (thrown) => thrown,
  );
  if (!isOvenError(error)) throw error;
  return error;
}

const LOOP = `
sum = 0
for id in ids:
    order = await orders_get(id)
    print("order", id)
    sum += order["total"]
sum
`;

describe("a program that calls functions", () => {
  it("waits at each call with its arguments, and goes on in the middle of its loop", async () => {
    const { result, waits, logs } = await journey(LOOP, total, { inputs: { ids: [1, 2, 3] } });
    expect(result).toBe(60);
    expect(waits).toEqual([1, 2, 3].map((id) => [{ name: "orders_get", arguments: { id } }]));
    expect(logs).toEqual(["order 1", "order 2", "order 3"]);
  });

  it("goes on in another process than the one that began", async () => {
    const first = await advance(LOOP, { inputs: { ids: [4] } });
    if (first.type !== "calls") throw new Error(first.type);
    const other = createSandbox();
    const last = await other.advance({
      code: LOOP,
      functions,
      inputs: { ids: [4] },
      from: { session: first.session, answers: [{ value: { total: 7 } }] },
      limits: { timeMs: HONEST_MS },
    });
    other.close();
    expect(last).toMatchObject({ type: "result", result: 7 });
  });

  it("gives the same from the recorded answers, without its session", async () => {
    const inputs = { ids: [1, 2, 3] };
    const recorded = [[{ value: { total: 10 } }], [{ value: { total: 20 } }]];
    const step = await advance(LOOP, { inputs, from: { answers: recorded } });
    expect(step).toMatchObject({ type: "calls", calls: [{ name: "orders_get", arguments: { id: 3 } }] });
    if (step.type !== "calls") throw new Error(step.type);
    const end = { session: step.session, answers: [{ value: { total: 30 } }] };
    expect(await advance(LOOP, { inputs, from: end })).toMatchObject({ type: "result", result: 60 });
  });

  it("makes the calls together that are written before the first await", async () => {
    const { result, waits } = await journey(`
import asyncio
orders = await asyncio.gather(*[orders_get(n) for n in range(4)])
last = await orders_get(9, extra="x")
[order["total"] for order in orders] + [last["id"]]
`);
    expect(waits.map((calls) => calls.map(({ arguments: { id } }) => id))).toEqual([[0, 1, 2, 3], [9]]);
    expect(waits[1]?.[0]?.arguments).toEqual({ id: 9, extra: "x" });
    expect(result).toEqual([0, 10, 20, 30, 9]);
  });

  it("can catch what a call failed with; else it fails at the author's line", async () => {
    const refuse = ({ arguments: { id } }: ProgramCall): CallAnswer =>
      id === 2 ? { error: "the shelf is locked" } : { value: 1 };
    const code = `
seen = []
for id in [1, 2, 3]:
    try:
        seen.append(await orders_get(id))
    except RuntimeError as error:
        seen.append(str(error))
seen
`;
    expect((await journey(code, refuse)).result).toEqual([1, "the shelf is locked", 1]);
    const error = await failure(journey("def double(n):\n  return n * 2\nx = await orders_get(2)", refuse));
    expect(error).toMatchObject({
      code: "CODE_FAILED",
      message: "RuntimeError: the shelf is locked (line 3)",
      details: { line: 3 },
    });
    const { traceback } = error.details as { traceback: string }; // cast: looked at above
    expect(traceback).toContain("line 3, in <module>\n    x = await orders_get(2)");
    expect(traceback).not.toContain("_oven");
  });

  it.each([
    ["await orders_get(1, 2, 3)", "orders_get() takes 2 positional arguments but 3 were given"],
    ["await orders_get(1, id=2)", "orders_get() got multiple values for argument 'id'"],
    ["await orders_get(id={1, 2})", "orders_get(): A set is no JSON"],
    ["await orders_get(id=2**60)", "orders_get(): 1152921504606846976 has more digits than a number holds"],
    ["await orders_drop(1)", "name 'orders_drop' is not defined"],
    ["def a():\n  return b()\ndef b():\n  return 1\na()", "define a function above those that call it"],
    ["_oven_answer(5)", "There is no such call"],
    ["_oven_call('orders_drop', (), {})", "no such call"],
    ["open('/etc/passwd')", "Permission denied"],
    ["import datetime\ndatetime.datetime.now()", "not supported"],
  ])("refuses %s", async (code, message) => {
    expect((await failure(journey(code))).message).toContain(message);
  });

  it("keeps values exact on their way in and out", async () => {
    const value: JsonObject = JSON.parse(
      '{"__proto__":{"x":[1,2.5,null,true]},"big":9007199254740991,"text":"a\\u0000ü😀"}',
    );
    const { result, waits } = await journey("x = await orders_get(given)\nx", () => ({ value }), {
      inputs: { given: value },
    });
    expect(JSON.stringify(result)).toBe(JSON.stringify(value));
    expect(JSON.stringify(waits[0]?.[0]?.arguments)).toBe(`{"id":${JSON.stringify(value)}}`);
    const half = "try:\n  await orders_get(1)\nexcept RuntimeError as e:\n  seen = str(e)\nseen";
    expect((await journey(half, () => ({ value: "\ud800" }))).result).toContain("half a character");
  });

  it("counts time and memory over all its parts", async () => {
    const endless = "n = 0\nwhile True:\n  n += 1\n  if n % 400000 == 0:\n    await orders_get(1)";
    const late = await failure(journey(endless, total, { limits: { timeMs: 300 } }));
    expect(late.code).toBe("CODE_TIMEOUT");
    const grows = "held = []\nwhile True:\n  await orders_get(1)\n  held.append('x' * 200000)";
    const large = await failure(journey(grows, total, { limits: { memoryMb: 8 } }));
    expect(large.code).toBe("CODE_MEMORY");
  });

  it("refuses to wait with more than a session may hold, or for too many calls at once", async () => {
    expect(
      await failure(journey("held = ['x' * 1000 + str(n) for n in range(2000)]\nawait orders_get(1)")),
    ).toMatchObject({
      code: "CODE_MEMORY",
      message: expect.stringContaining("while it waits"),
    });
    const many = "import asyncio\nawait asyncio.gather(*[orders_get(n) for n in range(101)])";
    expect((await failure(journey(many))).message).toContain("waits for 101 calls at once");
  });

  it("says that a session cannot be read, of another version or damaged", async () => {
    const { sessions } = await journey(LOOP, total, { inputs: { ids: [1] } });
    const [session = ""] = sessions;
    const whole: JsonObject = JSON.parse(session);
    const answers: CallAnswer[] = [{ value: { total: 1 } }];
    const unreadable = [
      "no session",
      JSON.stringify({ ...whole, format: "monty-0.0.1/1" }),
      JSON.stringify({ ...whole, snapshot: "AAAA" }),
      JSON.stringify({ ...whole, calls: null }),
    ];
    for (const bad of unreadable)
      expect(await advance(LOOP, { inputs: { ids: [1] }, from: { session: bad, answers } })).toMatchObject({
        type: "unreadable",
      });
  });

  it("names the version of its interpreter in what it stores", () => {
    const path = new URL("package.json", import.meta.resolve("@pydantic/monty"));
    expect(JSON.parse(readFileSync(fileURLToPath(path), "utf8")).version).toBe(MONTY_VERSION);
  });

  it("holds 100 values in less than 4 KiB", async () => {
    const code = `values = [await orders_get(n) for n in range(100)]\nawait orders_refund(1)\nlen(values)`;
    const { result, sessions } = await journey(code, () => ({ value: 1234.5 }));
    expect(result).toBe(100);
    expect(Buffer.byteLength(sessions.at(-1) ?? "")).toBeLessThan(4_096);
  });
});

describe("a program that is looked at", () => {
  const stubs =
    "async def orders_get(id: int, extra: str = '') -> dict[str, int]: raise NotImplementedError()\nids: list[int] = []\n";
  const check = (code: string) => sandbox.check({ code, inputNames: ["ids"], stubs });

  it("has nothing wrong with it", async () => {
    expect(await check("n = 0\nfor id in ids:\n  n += (await orders_get(id))['total']\nreturn n")).toEqual([]);
  });

  it("has errors of syntax and types at the author's lines", async () => {
    expect(await check("a = 1\ndef (:")).toMatchObject([{ kind: "syntax" }]);
    expect(await check("a = 1\nb = await orders_get('x')\nc = nothing")).toEqual([
      { kind: "type", line: 2, message: expect.stringContaining("Expected `int`") },
      { kind: "type", line: 3, message: expect.stringContaining("`nothing` used when not defined") },
    ]);
    expect(await check("order = orders_get(1)\norder['total']")).toMatchObject([{ kind: "type", line: 2 }]);
  });
});
