import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CORPUS_CASES } from "./corpus-cases.ts";
import { type CorpusFile, resumeCorpus } from "./corpus-file.ts";

const FOLDER = new URL("./", import.meta.url);
const versions = readdirSync(FOLDER).filter((name) => /^v\d+$/.test(name));
const files = versions.flatMap((version) =>
  readdirSync(new URL(`${version}/`, FOLDER)).map((name) => [version, name] as const),
);

describe("a run that an earlier release stored", () => {
  it("is there for each kind of wait, in every version", () => {
    expect(versions).toContain("v1");
    for (const version of versions)
      expect(files.filter(([of]) => of === version).length).toBeGreaterThanOrEqual(
        version === "v1" ? Object.keys(CORPUS_CASES).length : 1,
      );
  });

  it.each(files)("(%s, %s) is taken up and ends as it would have", async (version, name) => {
    const file = JSON.parse(readFileSync(new URL(`${version}/${name}`, FOLDER), "utf8")) as CorpusFile; // cast: written by `pnpm corpus`
    expect(await resumeCorpus(file)).toEqual(file.expected);
  });
});
