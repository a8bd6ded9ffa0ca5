import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockDataDir } from "./data-dir-lock.ts";
import { currentProcessSpace } from "./process-space.ts";

const newDir = () => mkdtempSync(join(tmpdir(), "oven-lock-"));
const holderScript = `
  import { lockDataDir } from ${JSON.stringify(new URL("./data-dir-lock.ts", import.meta.url).href)};
  await lockDataDir(process.argv[1]);
  process.stdout.write("held\\n");
  process.stdin.resume();
`;

describe("the data directory lock", () => {
  it("refuses a second holder and names the first", async () => {
    const dir = newDir();
    const lock = await lockDataDir(dir);
    await expect(lockDataDir(dir)).rejects.toThrow(`process ${process.pid}`);
    lock.release();
    (await lockDataDir(dir)).release();
  });

  it("is refused while another process lives and reaped once that process was killed", async () => {
    const dir = newDir();
    const holder = spawn(process.execPath, ["--input-type=module", "-e", holderScript, dir], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    await expect(lockDataDir(dir)).rejects.toThrow(`process ${holder.pid}`);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    (await lockDataDir(dir)).release();
  });

  it("does not take a reused pid for the holder", async () => {
    const dir = newDir();
    writeFileSync(
      join(dir, "oven.lock"),
      JSON.stringify({ pid: process.pid, started: "1", token: "old", since: "2020-01-01T00:00:00Z" }),
    );
    (await lockDataDir(dir)).release();
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"pid":"x"}',
    '{"pid":0,"token":"t"}',
    '{"pid":-1,"token":"t"}',
    "\u0000\u0000",
  ])("takes over a lock that a power cut left as %j", async (content) => {
    const dir = newDir();
    writeFileSync(join(dir, "oven.lock"), content);
    const lock = await lockDataDir(dir);
    await expect(lockDataDir(dir)).rejects.toThrow(`process ${process.pid}`);
    lock.release();
  });

  it("says which directory cannot be written, why, and what to do", async () => {
    const file = join(newDir(), "file");
    writeFileSync(file, "");
    await expect(lockDataDir(join(file, "below"))).rejects.toThrow(
      expect.objectContaining({
        code: "DATA_DIR_UNUSABLE",
        message: expect.stringContaining(`${join(file, "below")} cannot be written: ENOTDIR`),
        fix: expect.stringContaining("OVEN_DATA_DIR"),
      }),
    );
  });

  it("leaves nothing behind when it is released or refused", async () => {
    const dir = newDir();
    const lock = await lockDataDir(dir);
    await expect(lockDataDir(dir)).rejects.toThrow();
    expect(readdirSync(dir)).toEqual(["oven.lock"]);
    lock.release();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("lets exactly one of several processes reap a dead holder's lock", async () => {
    const dir = newDir();
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    writeFileSync(join(dir, "oven.lock"), JSON.stringify({ pid: dead, started: "1", token: "dead", since: "" }));
    const results = await Promise.allSettled([0, 1, 2].map(() => lockDataDir(dir)));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  });
});

describe("a holder in another container", () => {
  const elsewhere = { space: "another pid namespace", patienceMs: 3_000 };

  it("is refused though its pid is nobody's here, and named with its machine", async () => {
    const dir = newDir();
    const lock = await lockDataDir(dir, elsewhere);
    await expect(lockDataDir(dir)).rejects.toMatchObject({
      code: "DATA_DIR_LOCKED",
      message: expect.stringContaining(`of ${hostname()}`),
    });
    lock.release();
    (await lockDataDir(dir)).release();
  });

  it("lives while its event loop is blocked", async () => {
    const dir = newDir();
    const holder = spawn(
      process.execPath,
      ["--input-type=module", "-e", `${holderScript}; process.stdin.once("data", () => { for (;;) {} })`, dir],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    await once(holder.stdout, "data");
    holder.stdin.write("block\n");
    try {
      await expect(lockDataDir(dir, elsewhere)).rejects.toMatchObject({ code: "DATA_DIR_LOCKED" });
    } finally {
      holder.kill("SIGKILL");
    }
    await once(holder, "exit");
    (await lockDataDir(dir, elsewhere)).release();
  });

  it("that shows no sign of life is reaped, though its pid is somebody's here", async () => {
    const dir = newDir();
    writeFileSync(
      join(dir, "oven.lock"),
      JSON.stringify({ pid: process.pid, space: "gone", host: "old", started: null, token: "old", since: "" }),
    );
    const lock = await lockDataDir(dir, { patienceMs: 50 });
    expect(JSON.parse(readFileSync(join(dir, "oven.lock"), "utf8"))).toMatchObject({ space: currentProcessSpace() });
    lock.release();
  });
});
