import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { OVEN_VERSION } from "@oven/contract";
import { expect, it } from "vitest";
import { defaultDataDir, readRelease, settingsFolder } from "./release.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

function folderWith(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "oven-release-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

it("an installed package says what it was made of, and has its data in the user's home", () => {
  const root = folderWith({ "release.json": JSON.stringify({ version: "3.1.4", commit: COMMIT }) });
  expect(readRelease(root)).toEqual({ version: "3.1.4", commit: COMMIT });
  expect(defaultDataDir(root)).toBe(join(homedir(), ".oven"));
  expect(settingsFolder(root)).toBe(process.cwd());
});

it.each([
  ["a branch", { ".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": `${COMMIT}\n` }],
  [
    "a packed branch",
    { ".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": `# x\n${COMMIT} refs/heads/main\n` },
  ],
  ["no branch", { ".git/HEAD": `${COMMIT}\n` }],
])("a repository on %s says its commit, and has its data beside the code", (_, files) => {
  const root = folderWith(files);
  expect(readRelease(root)).toEqual({ version: OVEN_VERSION, commit: COMMIT });
  expect(defaultDataDir(root)).toBe(join(root, ".oven"));
  expect(settingsFolder(root)).toBe(root);
});

it("a copy without a repository has a version only", () => {
  expect(readRelease(folderWith({}))).toEqual({ version: OVEN_VERSION });
});
