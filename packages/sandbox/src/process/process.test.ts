import { execFile, fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { codeProcessArguments, PROCESS_ENVIRONMENT } from "../pool/code-process.ts";
import { isThere } from "../testing/is-there.ts";

const run = promisify(execFile);
/** What the interpreter's process itself may do, if code ever broke out of the interpreter. */
const PROBE = `
const what = {};
const attempt = async (name, act) => { try { await act(); what[name] = "allowed" } catch (error) { what[name] = error.code ?? error.name } };
const fs = await import("node:fs");
await attempt("read", () => fs.readFileSync("/etc/passwd"));
await attempt("readServer", () => fs.readFileSync(${JSON.stringify(fileURLToPath(new URL("../../../contract/src/index.ts", import.meta.url)))}));
await attempt("write", () => fs.writeFileSync("/tmp/oven-sandbox-probe", ""));
await attempt("spawn", async () => (await import("node:child_process")).execFileSync("id"));
await attempt("eval", () => Function("return 1")());
console.log(JSON.stringify({ ...what, environment: process.env }));
`;

/** Hundredths of a second of computing time: a process that has used so many since it got its job is in the middle of it. */
const BUSY_TICKS = 30;
const cpuTicks = (pid: number): number => Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[13]);

/** A server that is killed while code of it computes in a built-in function, which nothing interrupts. */
const SERVER = `
const { createSandbox } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
const sandbox = createSandbox();
const run = (code) => sandbox.run({ language: "javascript", code, inputs: {}, seed: "", limits: { timeMs: 60000 } });
await run("return 1");
void run("[].indexOf.call({ length: 2 ** 53 - 1 }, 1)");
const timer = setInterval(() => {
  const [pid] = sandbox.pids();
  if (pid === undefined) return;
  console.log(pid);
  clearInterval(timer);
}, 10);
`;

const PROGRAM = `
const { createSandbox } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
const request = { language: "javascript", code: "return 1 + 1", inputs: {}, seed: "" };
console.log((await createSandbox().run(request)).result);
`;

describe("the process that runs code", () => {
  it.runIf(process.platform === "linux")("ends with the server, also in the middle of code", async () => {
    const server = spawn(process.execPath, ["--input-type=module", "-e", SERVER], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = await new Promise<number>((resolve) => server.stdout.once("data", (text) => resolve(Number(text))));
    const before = cpuTicks(pid);
    await expect.poll(() => cpuTicks(pid), { timeout: 20_000 }).toBeGreaterThan(before + BUSY_TICKS);
    server.kill("SIGKILL");
    await expect.poll(() => isThere(pid), { timeout: 20_000 }).toBe(false);
  });

  it("keeps no program from ending, though nobody closes it", async () => {
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", PROGRAM]);
    expect(stdout).toBe("2\n");
  });

  it("reads nothing but its own files, writes and starts nothing, and has no environment", async () => {
    const { stdout } = await run(
      process.execPath,
      [...codeProcessArguments("javascript"), "--input-type=module", "-e", PROBE],
      { env: PROCESS_ENVIRONMENT },
    );
    expect(JSON.parse(stdout)).toEqual({
      read: "ERR_ACCESS_DENIED",
      readServer: "ERR_ACCESS_DENIED",
      write: "ERR_ACCESS_DENIED",
      spawn: "ERR_ACCESS_DENIED",
      eval: "EvalError",
      environment: { TZ: "UTC" },
    });
  });

  it("answers what is missing where an interpreter cannot be loaded", async () => {
    // As on a machine that it is not built for: without this permission it cannot be loaded either.
    const execArgv = codeProcessArguments("python").filter((argument) => argument !== "--allow-addons");
    const main = fileURLToPath(new URL("main.ts", import.meta.url));
    const child = fork(main, ["python"], {
      execArgv,
      env: PROCESS_ENVIRONMENT,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const next = () => new Promise<unknown>((resolve) => child.once("message", resolve));
    expect(await next()).toBe("ready");
    const answer = next();
    child.send({ language: "python", code: "1" });
    expect(await answer).toMatchObject({
      type: "failure",
      failure: { code: "CODE_FAILED", message: expect.stringContaining("cannot be loaded on this machine") },
    });
    child.kill();
  });

  it("of Python may load its interpreter, and nothing else more", async () => {
    const { stdout } = await run(
      process.execPath,
      [...codeProcessArguments("python"), "--input-type=module", "-e", PROBE],
      { env: PROCESS_ENVIRONMENT },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      read: "ERR_ACCESS_DENIED",
      readServer: "ERR_ACCESS_DENIED",
      write: "ERR_ACCESS_DENIED",
      spawn: "ERR_ACCESS_DENIED",
      environment: { TZ: "UTC" },
    });
  });
});
