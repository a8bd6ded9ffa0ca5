import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { connectDatabase } from "./connect.ts";
import { makeDataDirPrivate } from "./private-data-dir.ts";

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

/** The permissions of a folder and all in it, by kind. */
function permissionsIn(folder: string): { files: Set<string>; folders: Set<string> } {
  const found = { files: new Set<string>(), folders: new Set([modeOf(folder).toString(8)]) };
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const kind = entry.isDirectory() ? found.folders : found.files;
    kind.add(modeOf(join(entry.parentPath, entry.name)).toString(8));
  }
  return found;
}

const PRIVATE = { files: new Set(["600"]), folders: new Set(["700"]) };

describe("an embedded database", () => {
  const before = process.umask();
  afterEach(() => void process.umask(before));

  it.each([0o000, 0o022, 0o077])("is private while it is made, written and closed with the umask %o", async (umask) => {
    process.umask(umask);
    const dataDir = join(mkdtempSync(join(tmpdir(), "oven-private-")), "data");
    const db = await connectDatabase({ url: undefined, dataDir });
    await db.query("create table t (id int primary key)");
    await db.query("insert into t select generate_series(1, 1000)");
    await db.query("checkpoint");
    expect(permissionsIn(dataDir)).toEqual(PRIVATE);
    await db.close();
    expect(permissionsIn(dataDir)).toEqual(PRIVATE);
  });

  it("of an earlier version is mended, says so once, and stays as it is", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "oven-private-"));
    const first = await connectDatabase({ url: undefined, dataDir });
    await first.query("create table t as select 7 as n");
    await first.close();
    writeFileSync(join(dataDir, "secret"), "x");
    chmodSync(dataDir, 0o755);
    for (const entry of readdirSync(dataDir, { withFileTypes: true, recursive: true }))
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o666);
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    makeDataDirPrivate(dataDir);
    makeDataDirPrivate(dataDir);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^the data directory .+ was open to other users of this machine: \d{3} files and \d\d folders/,
        ),
      ],
    ]);
    warn.mockRestore();
    const second = await connectDatabase({ url: undefined, dataDir });
    expect(await second.query("select n from t")).toEqual([{ n: 7 }]);
    expect(permissionsIn(dataDir)).toEqual(PRIVATE);
    await second.close();
  });
});

describe("mending a data directory", () => {
  it("leaves alone what is not OVEN's, and a directory that holds such", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "oven-private-"));
    chmodSync(dataDir, 0o755);
    const make = (name: string) => writeFileSync(join(dataDir, name), "x", { mode: 0o644 });
    make("secret");
    make("notes.txt");
    mkdirSync(join(dataDir, "pglite"));
    symlinkSync(join(dataDir, "notes.txt"), join(dataDir, "pglite", "link"));
    for (const name of ["secret", "notes.txt"]) chmodSync(join(dataDir, name), 0o644);
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    makeDataDirPrivate(dataDir);
    warn.mockRestore();
    const modes = ["", "secret", "notes.txt", "pglite"].map((name) => modeOf(join(dataDir, name)).toString(8));
    expect(modes).toEqual(["755", "600", "644", "700"]);
  });

  it("does nothing where there is none, or nothing to mend", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    makeDataDirPrivate(join(tmpdir(), "oven-private-none"));
    makeDataDirPrivate(mkdtempSync(join(tmpdir(), "oven-private-")));
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  });
});
