import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { OVEN_VERSION } from "@oven/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OvenProcess, startOven } from "./oven-process.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
/** Of the package as it is published. */
const MOST_BYTES = 70_000_000;
/** Run as root, the server gets an ordinary user. */
const ORDINARY_USER = 65_534;
let folder: string;
let oven: OvenProcess | undefined;

function run(command: string, args: string[], env: Record<string, string> = {}) {
  const outcome = spawnSync(command, args, { cwd: ROOT, encoding: "utf8", env: { ...process.env, ...env } });
  expect(`${outcome.status} ${outcome.status === 0 ? "" : outcome.stderr}`).toBe("0 ");
  return outcome.stdout;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "oven-installed-"));
  chmodSync(folder, 0o755);
});

afterAll(async () => {
  await oven?.kill("SIGKILL");
});

it("npm installs the package without a registry", () => {
  run(process.execPath, ["tooling/src/release-pack.ts", "--out", join(folder, "made")]);
  const [file = ""] = globSync(join(folder, "made/*.tgz"));
  // A registry that answers nothing: whatever npm would ask for fails.
  const alone = [
    "--registry=http://127.0.0.1:9",
    "--fetch-retries=0",
    "--no-audit",
    "--no-fund",
    "--cache",
    join(folder, "cache"),
  ];
  run("npm", ["install", "--global", "--prefix", join(folder, "app"), ...alone, file]);
  run("chmod", ["-R", "a-w", join(folder, "app")]);
  // Last, so that the others have something to try also when it has grown.
  expect(statSync(file).size).toBeLessThan(MOST_BYTES);
});

it("an ordinary user starts it from an empty folder, and approves a first run", async () => {
  const user = process.getuid?.() === 0 ? ORDINARY_USER : undefined;
  const home = join(folder, "home");
  mkdirSync(home);
  if (user !== undefined) chownSync(home, user, user);
  oven = await startOven({
    dataDir: join(home, "data"),
    program: {
      command: join(folder, "app/bin/oven"),
      args: ["start"],
      cwd: home,
      ...(user === undefined ? {} : { user }),
    },
    env: { HOME: home, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, NODE_COMPILE_CACHE: "", TMPDIR: home },
  });
  expect((await oven.call("GET", "health")).body).toMatchObject({ status: "ok", version: OVEN_VERSION });
  const page = await fetch(`${oven.url}/`);
  expect(await page.text()).toContain("/assets/");
  const input = { message: "Where is my order 8841?" };
  const run = await oven.call("POST", "agent-workflows/support-reply/execute?wait=60", { input });
  expect(run.body.status).toBe("paused");
  const [review] = (await oven.call("GET", "reviews")).body;
  const { digest } = (await oven.call("GET", `reviews/${review.id}`)).body;
  expect((await oven.call("POST", `reviews/${review.id}/decide`, { action: "approve", digest })).status).toBe(200);
  const path = `agent-workflow-executions/${run.body.id}`;
  await expect.poll(async () => (await oven?.call("GET", path))?.body.status).toBe("completed");
});

it("has the commands that its help lists, and ends when it is asked to", async () => {
  const script = join(folder, "help.sh");
  writeFileSync(script, `"${join(folder, "app/bin/oven")}" --help`);
  expect(run("sh", [script], { PATH: `${dirname(process.execPath)}:${process.env.PATH}` })).toContain(
    "Usage: oven <command>",
  );
  expect(await oven?.kill("SIGTERM")).toBe(0);
});
