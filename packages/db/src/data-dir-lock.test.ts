import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockDataDir } from "./data-dir-lock.ts";

const newDir = () => mkdtempSync(join(tmpdir(), "oven-lock-"));
const holderScript = `
  import { lockDataDir } from ${JSON.stringify(new URL("./data-dir-lock.ts", import.meta.url).href)};
  lockDataDir(process.argv[1]);
  process.stdout.write("held\\n");
  process.stdin.resume();
`;

describe("the data directory lock", () => {
  it("refuses a second holder and names the first", () => {
    const dir = newDir();
    const lock = lockDataDir(dir);
    expect(() => lockDataDir(dir)).toThrow(`process ${process.pid}`);
    lock.release();
    lockDataDir(dir).release();
  });

  it("is refused while another process lives and reaped once that process was killed", async () => {
    const dir = newDir();
    const holder = spawn(process.execPath, ["--input-type=module", "-e", holderScript, dir], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    expect(() => lockDataDir(dir)).toThrow(`process ${holder.pid}`);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    lockDataDir(dir).release();
  });

  it("does not take a reused pid for the holder", () => {
    const dir = newDir();
    writeFileSync(
      join(dir, "oven.lock"),
      JSON.stringify({ pid: process.pid, started: "1", token: "old", since: "2020-01-01T00:00:00Z" }),
    );
    lockDataDir(dir).release();
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
  ])("takes over a lock that a power cut left as %j", (content) => {
    const dir = newDir();
    writeFileSync(join(dir, "oven.lock"), content);
    const lock = lockDataDir(dir);
    expect(() => lockDataDir(dir)).toThrow(`process ${process.pid}`);
    lock.release();
  });

  it("says which directory cannot be written, why, and what to do", () => {
    const file = join(newDir(), "file");
    writeFileSync(file, "");
    expect(() => lockDataDir(join(file, "below"))).toThrow(
      expect.objectContaining({
        code: "DATA_DIR_UNUSABLE",
        message: expect.stringContaining(`${join(file, "below")} cannot be written: ENOTDIR`),
        fix: expect.stringContaining("OVEN_DATA_DIR"),
      }),
    );
  });

  it("leaves nothing behind when it is released or refused", () => {
    const dir = newDir();
    const lock = lockDataDir(dir);
    expect(() => lockDataDir(dir)).toThrow();
    expect(readdirSync(dir)).toEqual(["oven.lock"]);
    lock.release();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("lets exactly one of several processes reap a dead holder's lock", () => {
    const dir = newDir();
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    writeFileSync(join(dir, "oven.lock"), JSON.stringify({ pid: dead, started: "1", token: "dead", since: "" }));
    const results = [0, 1, 2].map(() => {
      try {
        return lockDataDir(dir);
      } catch {
        return undefined;
      }
    });
    expect(results.filter((lock) => lock !== undefined)).toHaveLength(1);
  });
});
