import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeReceipt } from "@oven/receipts/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyCommand } from "./verify.command.ts";

const { file, log, keys } = makeReceipt();
let folder: string;
let at: { receipt: string; log: string; keys: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "oven-verify-"));
  at = { receipt: join(folder, "receipt.json"), log: join(folder, "receipt.log"), keys: join(folder, "keys.json") };
  await writeFile(at.receipt, file);
  await writeFile(at.log, log);
  await writeFile(at.keys, JSON.stringify(keys));
});
afterAll(() => rm(folder, { recursive: true }));

/** As it is called from a shell, without any setting of an installation. */
function oven(...args: string[]): { code: number | null; out: string; err: string } {
  const program = join(import.meta.dirname, "oven.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "verify", ...args], {
    ...{ encoding: "utf8", cwd: folder },
    env: { PATH: process.env.PATH ?? "" },
  });
  return { code: status, out: stdout, err: stderr };
}

async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const out: string[] = [];
  const code = await verifyCommand.run(args, (text) => void out.push(text));
  return { code, out: out.join("") };
}

describe("oven verify, as a process", () => {
  it("verifies a receipt with its log and the issuer's keys", () => {
    const { code, out, err } = oven(at.receipt, "--log", at.log, "--keys", at.keys);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("Receipt of run 7 (agent-workflow refund, version 2): completed");
    expect(out).toContain("✓ the chain of the log's entries ends in the hash that was signed");
    expect(out).toMatch(/VALID: all that was checked holds\.\n$/);
    expect(out).not.toContain("✗");
  });

  it("ends with 1 where a byte of the log is another one", async () => {
    const changed = join(folder, "changed.log");
    await writeFile(changed, (await readFile(at.log, "utf8")).replace('"paid":5', '"paid":6'));
    const { code, out } = oven(at.receipt, "--log", changed, "--keys", at.keys);
    expect(code).toBe(1);
    expect(out).toContain("✗ line 1 of the log has other data than its digest says");
    expect(out).toMatch(/NOT VALID\.\n$/);
  });
});

describe("oven verify", () => {
  it("says without keys that the key itself is to be trusted, and shows its fingerprint", async () => {
    const { code, out } = await run(at.receipt);
    expect(code).toBe(0);
    expect(out).toContain(`was not checked: compare its fingerprint ${keys.keys[0]?.kid}`);
  });

  it("reads the keys of an installation by its address", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end(JSON.stringify(keys));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo; // cast: it listens on TCP
    const { code, out } = await run(at.receipt, "--keys", `http://127.0.0.1:${port}`);
    await promisify(server.close.bind(server))();
    expect(code).toBe(0);
    expect(asked).toEqual(["/.well-known/oven-receipts.json"]);
    expect(out).toContain("✓ the key is one of those that https://oven.example has published");
  });

  it("cannot run without a file, or with keys that are none", async () => {
    await expect(run()).rejects.toThrow("usage: oven verify");
    await expect(run(at.receipt, "--keys", at.receipt)).rejects.toThrow("is not a set of keys");
    await expect(run(join(folder, "nothing.json"))).rejects.toThrow("ENOENT");
  });
});
