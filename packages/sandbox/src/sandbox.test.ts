import { isOvenError, type JsonObject, type OvenError } from "@oven/contract";
import { afterAll, describe, expect, it } from "vitest";
import { type CodeLimits, createSandbox } from "./index.ts";

/** Honest code must not fail on a busy machine. */
const HONEST_MS = 30_000;
const sandbox = createSandbox();
afterAll(() => sandbox.close());

const run = (code: string, inputs: JsonObject = {}, limits: Partial<CodeLimits> = {}, seed = "seed") =>
  sandbox.run({ language: "javascript", code, inputs, seed, limits: { timeMs: HONEST_MS, ...limits } });

/** The error that code ends with. */
async function failure(code: string, inputs: JsonObject = {}, limits: Partial<CodeLimits> = {}): Promise<OvenError> {
  const error: unknown = await run(code, inputs, limits).then(
    ({ result }) => `it answered ${JSON.stringify(result)}`,
    (thrown) => thrown,
  );
  if (!isOvenError(error)) throw error;
  return error;
}

describe("JavaScript in the sandbox", () => {
  it("answers what the code returns for its inputs", async () => {
    expect(await run("return order.total * 2", { order: { total: 21 } })).toEqual({ result: 42, logs: [] });
    expect(await run("return await Promise.all([1, Promise.resolve(2)])")).toMatchObject({ result: [1, 2] });
    expect(await run("return [1, 2, 3].map((n) => ({ n }))")).toMatchObject({ result: [{ n: 1 }, { n: 2 }, { n: 3 }] });
    expect(await run("const unused = 1;")).toMatchObject({ result: null });
  });

  it("hands data in and out exactly", async () => {
    const data = JSON.parse(
      '{"text":"a\\u0000b\\ud800 ü 😀","big":9007199254740991,"small":5e-324,"large":1.7976931348623157e308,"list":[null,true,[]],"__proto__":{"x":1},"":{}}',
    );
    const { result } = await run("return data", { data });
    expect(JSON.stringify(result)).toBe(JSON.stringify(data));
  });

  it("takes dates as ISO texts, absent values as null, and integers that a number holds", async () => {
    const code =
      "return { date: new Date(0), list: [undefined, , 1], gone: undefined, id: 9007199254740991n, ten: 10n ** 20n }";
    expect((await run(code)).result).toEqual({
      date: "1970-01-01T00:00:00.000Z",
      list: [null, null, 1],
      id: 9_007_199_254_740_991,
      ten: 1e20,
    });
  });

  it.each([
    ["return { a: [1, { b: () => 1 }] }", "$.result.a[1].b", "A function is no JSON"],
    ["return Symbol('x')", "$.result", "A symbol is no JSON"],
    ["return [NaN]", "$.result[0]", "NaN is no JSON"],
    ["return { 'a b': -Infinity }", '$.result["a b"]', "-Infinity is no JSON"],
    ["return [2n ** 60n]", "$.result[0]", "1152921504606846976n has more digits than a number holds"],
    ["const a = {}; a.b = { c: [a] }; return a", "$.result.b.c[0]", "The value contains itself"],
    ["return new Map([[1, 2]])", "$.result", "[object Map] is no JSON"],
    ["return { e: new Error('x') }", "$.result.e", "[object Error] is no JSON"],
    ["return { then: 1, p: Promise.resolve(1) }", "$.result.p", "[object Promise] is no JSON"],
  ])("refuses the result of %s with its place", async (code, path, message) => {
    expect(await failure(code)).toMatchObject({ code: "CODE_RESULT_INVALID", path, message, fix: expect.any(String) });
  });

  it("refuses a result that is nested too deeply", async () => {
    expect((await run("let a = []; for (let i = 0; i < 399; i++) a = [a]; return a")).logs).toEqual([]);
    expect(await failure("let a = []; for (let i = 0; i < 500; i++) a = [a]; return a")).toMatchObject({
      code: "CODE_RESULT_INVALID",
      message: "The result is nested deeper than 400 levels",
    });
  });

  it("names line and column as the author counts them", async () => {
    expect(await failure("const x = null;\nreturn x.y;")).toMatchObject({
      code: "CODE_FAILED",
      message: "TypeError: cannot read property 'y' of null (line 2)",
      details: { name: "TypeError", line: 2, column: 9, traceback: expect.stringContaining("code.js:2:9") },
    });
    expect(await failure("const x = ;")).toMatchObject({
      code: "CODE_SYNTAX",
      details: { name: "SyntaxError", line: 1, column: 11 },
    });
    expect(await failure("\nif (a) {")).toMatchObject({ code: "CODE_SYNTAX", details: { line: 2 } });
    expect(await failure("return await 1;\nimport x from 'y'")).toMatchObject({
      code: "CODE_SYNTAX",
      details: { line: 2 },
    });
    expect(await failure("throw { reason: 'none' }")).toMatchObject({
      code: "CODE_FAILED",
      message: '{"reason":"none"}',
    });
  });

  it("keeps what is printed, in order, and shows the last lines of code that fails", async () => {
    const { logs } = await run(
      "console.log('a', { b: [1] }, 2n, null); console.error(new TypeError('no')); console.log()",
    );
    expect(logs).toEqual(['a {"b":[1]} 2n null', "TypeError: no", ""]);
    expect((await run("console.log('a\\u0000b\\ud800', undefined)")).logs).toEqual(["a\u0000b\ud800 undefined"]);
    const failed = await failure("console.log('before'); throw new Error('x')");
    expect(failed).toMatchObject({ code: "CODE_FAILED", details: { logs: ["before"] } });
  });

  it("gives the same random numbers for the same seed", async () => {
    const code = "return Array.from({ length: 100 }, () => Math.random())";
    const first = (await run(code)).result as number[]; // cast: the code returns numbers
    expect(first.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(new Set(first).size).toBe(100);
    expect((await run(code)).result).toEqual(first);
    expect((await run(code, {}, {}, "another")).result).not.toEqual(first);
  });

  it("has no clock, and reads times that are handed over, in UTC", async () => {
    for (const code of ["return Date.now()", "return new Date()", "return Date()"])
      expect(await failure(code), code).toMatchObject({
        code: "CODE_FAILED",
        message: expect.stringContaining("no clock"),
      });
    const code =
      "const d = new Date(at); return [d.getTime(), d.getHours(), Date.parse(at), d instanceof Date, Date.UTC(2026, 0, 1), d.constructor === Date]";
    expect((await run(code, { at: "2026-01-02T03:04:05Z" })).result).toEqual([
      1_767_323_045_000,
      3,
      1_767_323_045_000,
      true,
      1_767_225_600_000,
      true,
    ]);
  });

  it("runs code side by side", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => run("return n * n", { n })));
    expect(all.map(({ result }) => result)).toEqual([0, 1, 4, 9, 16, 25, 36, 49]);
  });

  it.each(["order total", "a-b", "1a", "class", "arguments", "", "a,b"])("refuses the input name %j", async (name) => {
    expect(await failure("return 1", { [name]: 1 })).toMatchObject({ code: "CODE_INPUT_INVALID" });
  });

  it("takes names of any script", async () => {
    expect(await run("return größe + $a + _", { größe: 1, $a: 2, _: 3 })).toMatchObject({ result: 6 });
  });
});

describe("limits of code", () => {
  it.each([
    ["an endless loop", "while (true);", "CODE_TIMEOUT"],
    ["an endless loop that catches", "for (;;) { try { for (;;); } catch {} finally { continue; } }", "CODE_TIMEOUT"],
    [
      "an endless chain of promises",
      "const again = () => Promise.resolve().then(again); await again()",
      "CODE_TIMEOUT",
    ],
    ["a pattern that backtracks", "return /(a+)+$/.test('a'.repeat(50) + 'b')", "CODE_TIMEOUT"],
    ["an endless built-in function", "return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)", "CODE_TIMEOUT"],
  ])("end %s", async (_, code, expected) => {
    expect(await failure(code, {}, { timeMs: 200 })).toMatchObject({
      code: expected,
      message: "The code ran longer than 200 ms",
      fix: expect.stringContaining("timeoutMs"),
    });
    expect(await run("return 1")).toEqual({ result: 1, logs: [] });
  });

  it.each([
    ["objects", "const a = []; while (true) a.push({ n: a.length })"],
    ["a long text", "let s = 'x'.repeat(1000); const a = []; for (;;) a.push((s += s).slice(1))"],
    ["a buffer", "return new ArrayBuffer(2 ** 30).byteLength"],
  ])("end code that holds too much: %s", async (_, code) => {
    const error = await failure(code, {}, { memoryMb: 16 });
    expect(error).toMatchObject({ code: "CODE_MEMORY", fix: expect.stringContaining("memoryMb") });
    expect(await run("return 1")).toEqual({ result: 1, logs: [] });
  });

  it("lets code have more memory where it may", async () => {
    const code = "const a = []; for (let i = 0; i < 500000; i++) a.push({ n: i }); return a.length";
    expect(await failure(code, {}, { memoryMb: 8 })).toMatchObject({ code: "CODE_MEMORY" });
    expect(await run(code, {}, { memoryMb: 128 })).toMatchObject({ result: 500_000 });
  });

  it.each([
    ["a result", "return 'x'.repeat(6e6)"],
    ["a result of many bytes", "return 'ü'.repeat(3e6)"],
    ["many lines", "for (let i = 0; i < 1001; i++) console.log(i)"],
    ["long lines", "for (;;) console.log('x'.repeat(1000))"],
    ["one line", "console.log('x'.repeat(1e6))"],
  ])("refuse too much output: %s", async (_, code) => {
    expect(await failure(code, {}, {})).toMatchObject({ code: "CODE_OUTPUT_TOO_LARGE" });
  });

  it.each([
    ["a function that calls itself", "const f = () => f(); f()"],
    ["a getter that reads itself", "const o = { get x() { return this.x } }; return o.x"],
    [
      "a getter in the result",
      "const o = { get x() { return { o } }, toString() { return '' + this } }; return '' + o",
    ],
    ["nested code", `return ${"[".repeat(20_000)}${"]".repeat(20_000)}`],
    ["nested data", "return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))"],
  ])("end deep recursion: %s", async (_, code) => {
    const error = await failure(code);
    expect(["CODE_FAILED", "CODE_SYNTAX"]).toContain(error.code);
    expect(error.message).toMatch(/stack overflow|too deeply/);
    expect(await run("return 1")).toEqual({ result: 1, logs: [] });
  });

  it("end code that waits for what never comes", async () => {
    expect(await failure("await new Promise(() => {})")).toMatchObject({
      code: "CODE_FAILED",
      message: "The code waits for a promise that never settles",
    });
  });

  it("refuse inputs and code that are too large", async () => {
    expect(await failure("return 1", { x: "x".repeat(6_000_000) })).toMatchObject({ code: "CODE_INPUT_INVALID" });
    expect(await failure(`return ${" ".repeat(300_000)}1`)).toMatchObject({ code: "CODE_INPUT_INVALID" });
  });
});
