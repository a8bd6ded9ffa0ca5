import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPglite } from "./pglite-database.ts";
import { createStorageProbe, isStorageFull, storageFull } from "./storage-full.ts";
import { createTestDataDir } from "./testing.ts";

it("finds out that the embedded database's disk is full, and that there is room again", async () => {
  const dataDir = createTestDataDir("oven-full-");
  const db = await openPglite(dataDir);
  try {
    // What is written there meets ENOSPC, as on a full disk.
    symlinkSync("/dev/full", join(dataDir, "storage-probe"));
    await expect(db.probeStorage()).rejects.toMatchObject({ code: "STORAGE_FULL", status: 503, retryable: true });
    await db.probeStorage();
  } finally {
    await db.close();
  }
});

it("writes once for all who ask at a time, not again while it is known to work, and each time while it does not", async () => {
  let now = 0;
  let writes = 0;
  let isFull = false;
  const write = async () => {
    writes += 1;
    if (isFull) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  const probe = createStorageProbe(write, 1_000, () => now);
  await Promise.all([probe(), probe(), probe()]);
  now = 999;
  await probe();
  expect(writes).toBe(1);
  now = 1_000;
  isFull = true;
  for (const _ of [1, 2]) await expect(probe()).rejects.toMatchObject({ code: "STORAGE_FULL" });
  expect(writes).toBe(3);
  isFull = false;
  await probe();
  expect(writes).toBe(4);
});

it("knows a full disk by its codes, through causes, and nothing else", () => {
  const postgres = Object.assign(new Error("could not extend file"), { code: "53100" });
  expect(isStorageFull(new Error("Failed query: insert", { cause: postgres }))).toBe(true);
  expect(isStorageFull(storageFull(postgres))).toBe(true);
  expect(isStorageFull(new Error("No space left on device"))).toBe(false);
  expect(isStorageFull(Object.assign(new Error("no"), { code: "53300" }))).toBe(false);
});
