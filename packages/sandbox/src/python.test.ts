import { isOvenError, type JsonObject, type OvenError } from "@oven/contract";
import { afterAll, describe, expect, it } from "vitest";
import { type CodeLimits, createSandbox } from "./index.ts";

/** Honest code must not fail on a busy machine. */
const HONEST_MS = 30_000;
const sandbox = createSandbox();
afterAll(() => sandbox.close());

const run = (code: string, inputs: JsonObject = {}, limits: Partial<CodeLimits> = {}) =>
  sandbox.run({ language: "python", code, inputs, seed: "seed", limits: { timeMs: HONEST_MS, ...limits } });

/** The error that code ends with. */
async function failure(code: string, inputs: JsonObject = {}, limits: Partial<CodeLimits> = {}): Promise<OvenError> {
  const error: unknown = await run(code, inputs, limits).then(
    ({ result }) => `it answered ${JSON.stringify(result)}`,
    (thrown) => thrown,
  );
  if (!isOvenError(error)) throw error;
  return error;
}

describe("Python in the sandbox", () => {
  it("answers the value of the last expression, or of return", async () => {
    expect(await run("total = order['total']\ntotal * 2", { order: { total: 21 } })).toEqual({ result: 42, logs: [] });
    expect(await run("return [n * n for n in numbers]", { numbers: [1, 2, 3] })).toMatchObject({ result: [1, 4, 9] });
    expect(await run("unused = 1")).toMatchObject({ result: null });
    expect(await run("import asyncio\nasync def f():\n  return 3\nawait f()")).toMatchObject({ result: 3 });
  });

  it("hands data in and out exactly", async () => {
    const data = JSON.parse(
      '{"text":"a\\u0000b ü 😀","big":9007199254740991,"small":5e-324,"large":1.7976931348623157e308,"half":0.5,"list":[null,true,[],-3],"__proto__":{"x":{}},"":""}',
    );
    const { result } = await run("data", { data });
    expect(JSON.stringify(result)).toBe(JSON.stringify(data));
    expect(await run("[type(n).__name__ for n in data]", { data: [1, 1.5, "a", null, {}, []] })).toMatchObject({
      result: ["int", "float", "str", "NoneType", "dict", "list"],
    });
    expect(await run("{'tuple': (1, 2), 'ten': 10**20, 'whole': 2.0}")).toMatchObject({
      result: { tuple: [1, 2], ten: 1e20, whole: 2 },
    });
  });

  it.each([
    ["[2**60]", "$.result[0]", "1152921504606846976 has more digits than a number holds"],
    ["{'a': [float('nan')]}", "$.result.a[0]", "nan is no JSON"],
    ["float('-inf')", "$.result", "-inf is no JSON"],
    ["{'a': {1, 2}}", "$.result.a", "A set is no JSON"],
    ["{'a': {1: 2}}", "$.result.a", "The key 1 is no text"],
    ["b'ab'", "$.result", "A bytes is no JSON"],
    ["import datetime\n[datetime.date(2026, 1, 2)]", "$.result[0]", "A date is no JSON"],
  ])("refuses the result of %s with its place", async (code, path, message) => {
    expect(await failure(code)).toMatchObject({ code: "CODE_RESULT_INVALID", path, message, fix: expect.any(String) });
  });

  it("refuses a text that it would change", async () => {
    expect(await failure("s", { s: "a\ud800" })).toMatchObject({ code: "CODE_INPUT_INVALID" });
    expect(await run("s", { s: "\\ud800 \\\\udc00" })).toMatchObject({ result: "\\ud800 \\\\udc00" });
    expect(await failure("d", { d: { "\udc00": 1 } })).toMatchObject({ code: "CODE_INPUT_INVALID" });
  });

  it("refuses a result that is nested too deeply", async () => {
    expect(await failure("a = []\nfor i in range(500):\n  a = [a]\na")).toMatchObject({
      code: "CODE_RESULT_INVALID",
      message: "The result is nested deeper than 400 levels",
    });
  });

  it("names the line as the author counts it", async () => {
    expect(await failure("x = 1\ny = x / 0")).toMatchObject({
      code: "CODE_FAILED",
      message: "ZeroDivisionError: division by zero (line 2)",
      details: { name: "ZeroDivisionError", line: 2, column: 5, traceback: expect.stringContaining("y = x / 0") },
    });
    expect(await failure("def f():\n  raise ValueError('bad')\nf()")).toMatchObject({ details: { line: 2 } });
    expect(await failure("x = 1\n\nif x\n  y")).toMatchObject({ code: "CODE_SYNTAX", details: { line: 3 } });
  });

  it.each([
    ["class A:\n  pass", "CODE_SYNTAX", "This part of Python is not there"],
    ["match 1:\n  case 1: 2", "CODE_SYNTAX", "This part of Python is not there"],
    ["x = 1\nimport numpy", "CODE_FAILED", "Only json, math, re"],
    ["import random", "CODE_FAILED", "Only json, math, re"],
  ])("says of %j what is missing, and where", async (code, expected, fix) => {
    expect(await failure(code)).toMatchObject({
      code: expected,
      fix: expect.stringContaining(fix),
      details: { line: expect.any(Number) },
    });
  });

  it("keeps what is printed, line by line", async () => {
    const code = "print('a', 1, end='')\nprint('b\\n\\nc')\nprint()\nprint({'x': None}, end='')";
    expect((await run(code)).logs).toEqual(["a 1b", "", "c", "", "{'x': None}"]);
    const failed = await failure("print('before')\n1 / 0");
    expect(failed).toMatchObject({ code: "CODE_FAILED", details: { logs: ["before"] } });
  });

  it.each(["$a", "a b", "class", "None", "ﬁ"])("refuses the input name %j", async (name) => {
    expect(await failure("1", { [name]: 1 })).toMatchObject({ code: "CODE_INPUT_INVALID" });
  });

  it.each([
    ["open('/etc/passwd').read()", /not implemented/],
    ["from pathlib import Path\nPath('/etc/passwd').read_text()", /not implemented/],
    ["from pathlib import Path\nPath('/tmp/oven-python').write_text('x')", /not implemented/],
    ["from pathlib import Path\nlist(Path('/').iterdir())", /not implemented/],
    ["import os\nos.environ", /not implemented/],
    ["import os\nos.getenv('PATH')", /not implemented/],
    ["import os\nos.system('id')", /no attribute/],
    ["import os\nos.listdir('/')", /no attribute|not implemented/],
    ["import datetime\ndatetime.datetime.now()", /not implemented/],
    ["import datetime\ndatetime.date.today()", /not implemented/],
    ["import time", /No module/],
    ["import socket", /No module/],
    ["import subprocess", /No module/],
    ["import ctypes", /No module/],
    ["import builtins", /No module/],
    ["import sys\nsys.modules", /no attribute/],
    ["import sys\nsys._getframe()", /no attribute/],
    ["__import__('os')", /not defined/],
    ["__builtins__", /not defined/],
    ["eval('1')", /not defined/],
    ["exec('1')", /not defined/],
    ["compile('1', '', 'eval')", /not defined/],
    ["globals()", /not defined/],
    ["input()", /not defined/],
    ["().__class__.__bases__[0].__subclasses__()", /no attribute/],
    ["(lambda: 1).__globals__", /no attribute/],
    ["(lambda: 1).__code__", /no attribute/],
    ["'{0.__class__}'.format(1)", /no attribute/],
    ["getattr((), '__class__')", /no attribute/],
  ])("has no way to the outside: %j", async (code, says) => {
    const error = await failure(code);
    expect(error.code).toBe("CODE_FAILED");
    expect(error.message).toMatch(says);
  });

  it("has nothing of the code before", async () => {
    await run("leaked = 1\nimport json\njson.leaked = 2\n1").catch(() => undefined);
    expect(await failure("leaked")).toMatchObject({ message: expect.stringContaining("not defined") });
  });

  it("gives the same result each time", async () => {
    const code = "[hash('a'), list({'a', 'b', 'c'}), str([id(x) for x in [1, 2]])]";
    const text = `str(${code})`;
    expect((await run(text)).result).toBe((await run(text)).result);
  });
});

describe("limits of Python", () => {
  it.each([
    ["an endless loop", "while True: pass"],
    ["an endless loop that catches", "while True:\n  try:\n    while True: pass\n  except BaseException: pass"],
    ["an endless sum", "sum(range(10**12))"],
  ])("end %s", async (_, code) => {
    expect(await failure(code, {}, { timeMs: 200 })).toMatchObject({
      code: "CODE_TIMEOUT",
      message: "The code ran longer than 200 ms",
    });
  });

  it.each([
    ["a list", "a = []\nwhile True: a.append('x' * 1000)"],
    ["a text", "'x' * 10**9"],
    ["a number", "2 ** 10**9"],
    ["a copy", "list(range(10**8))"],
  ])("end code that holds too much: %s", async (_, code) => {
    expect(await failure(code, {}, { memoryMb: 16 })).toMatchObject({ code: "CODE_MEMORY" });
    expect(await run("1")).toEqual({ result: 1, logs: [] });
  });

  it.each([
    ["a result", "'x' * 6000000"],
    ["many lines", "for i in range(1001): print(i)"],
    ["one line", "print('x' * 1000000)"],
    ["lines that go on", "while True:\n  try:\n    print('x' * 1000)\n  except Exception: pass"],
    ["lines that go on whatever is raised", "while True:\n  try:\n    print('x')\n  except BaseException: pass"],
    ["a line without an end", "while True: print('x' * 1000, end='')"],
    ["endlessly nothing", "while True: print('', end='')"],
  ])("refuse too much output: %s", async (_, code) => {
    expect(await failure(code)).toMatchObject({ code: "CODE_OUTPUT_TOO_LARGE" });
    expect(await run("1")).toEqual({ result: 1, logs: [] });
  });

  it.each([
    ["a function that calls itself", "def f(): return f()\nf()", "CODE_FAILED"],
    ["nested code", `${"[".repeat(5_000)}${"]".repeat(5_000)}`, "CODE_SYNTAX"],
  ])("end deep recursion: %s", async (_, code, expected) => {
    expect(await failure(code)).toMatchObject({ code: expected });
    expect(await run("def f(n): return n if n == 0 else 1 + f(n - 1)\nf(900)")).toMatchObject({ result: 900 });
  });
});
