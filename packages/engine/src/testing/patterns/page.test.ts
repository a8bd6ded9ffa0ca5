import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PatternRun } from "./pattern-run.ts";

const page = readFileSync(new URL("../../../../../docs/patterns.md", import.meta.url), "utf8");
const folder = new URL("./", import.meta.url);
const names = (path: string, ending: string) =>
  readdirSync(new URL(path, folder))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length));
const files = names("./definitions/", ".json").sort();
const tests = names("./", ".test.ts")
  .map((name) => readFileSync(new URL(`${name}.test.ts`, folder), "utf8"))
  .join("\n");

interface Row {
  number: number;
  kind: string;
  definition: string;
  how: string;
}
const rows = page.split("\n").flatMap((line): Row[] => {
  const [, number, kind, definition = "", how = ""] =
    /^\| (\d+) \| [^|]+ \| (direct|detour|no) \| ([^|]+) \| (.+) \|$/.exec(line) ?? [];
  return kind === undefined ? [] : [{ number: Number(number), kind, definition, how }];
});

describe("the page of control-flow patterns", () => {
  it("has each of the 43 once, in order", () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 43 }, (_, index) => index + 1));
  });

  it("names each definition that is there, and none that is not", () => {
    const named = rows.flatMap(({ definition }) => /\/definitions\/(.+)\.json\)$/.exec(definition)?.[1] ?? []);
    expect(named.toSorted()).toEqual(files);
    for (const { number, kind, definition, how } of rows) {
      expect(definition === "none", `${number}`).toBe(kind === "no");
      if (kind === "no") expect(how).toContain("Nearest:");
      else expect(definition).toContain(`[${String(number).padStart(2, "0")}-`);
    }
  });

  it("counts them as they are", () => {
    const count = (kind: string) => rows.filter((row) => row.kind === kind).length;
    expect(page).toContain(
      `${count("direct")} are direct, ${count("detour")} take a detour, ${count("no")} are not there.`,
    );
  });

  it.each(files)("%s has a test of its own, and is valid", async (file) => {
    expect(tests).toContain(`"${file}"`);
    await expect(PatternRun.start(file, { items: [], wanted: [], times: 0, n: 1, amount: 1 })).resolves.toBeDefined();
  });
});
