import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findErrorCodes } from "./error-pages/find-error-codes.ts";
import { listSources } from "./list-sources.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/errors");

/** Sources that run in the product: no tests, no aids of tests. */
function isProduct(path: string): boolean {
  return (
    /^(packages\/[^/]+\/src|apps\/[^/]+\/(server|app|src))\//.test(path) &&
    !/\.test\.tsx?$|\/testing\/|^packages\/testing\//.test(path)
  );
}

const pages = readdirSync(folder)
  .filter((name) => name.endsWith(".md") && name !== "README.md")
  .map((name) => name.replace(/\.md$/, ""));

describe("error pages", () => {
  it("exist for every code that the product uses, and for no other", () => {
    const used = listSources(root)
      .filter(isProduct)
      .flatMap((path) => findErrorCodes(readFileSync(join(root, path), "utf8")));
    expect([...pages].sort()).toEqual([...new Set(used)].sort());
  });

  it.each(pages)("%s says what it means, when it happens and what to do", (code) => {
    const text = readFileSync(join(folder, `${code}.md`), "utf8");
    expect(text.startsWith(`# ${code}\n`)).toBe(true);
    expect([...text.matchAll(/^\*\*(.+?)\*\* (.+)$/gm)].map(([, part]) => part)).toEqual([
      "What it means.",
      "When it happens.",
      "What to do.",
    ]);
  });

  it("are listed in the index", () => {
    const index = readFileSync(join(folder, "README.md"), "utf8");
    const listed = [...index.matchAll(/\]\(([A-Z0-9_]+)\.md\)/g)].map(([, code]) => code);
    expect([...listed].sort()).toEqual([...pages].sort());
  });
});

describe("finding error codes", () => {
  it.each([
    ["thrown", 'throw new OvenError(\n  "NOT_FOUND", "x")', ["NOT_FOUND"]],
    ["made by a shorthand", 'return fail("MODEL_TIMEOUT", `x`)', ["MODEL_TIMEOUT"]],
    ["on a record", 'frame.fail({ code: "STUCK", nodeId: null })', ["STUCK"]],
    ["chosen", 'const code = late ? "WAIT_TIMEOUT" : "REVIEW_EXPIRED";', ["REVIEW_EXPIRED", "WAIT_TIMEOUT"]],
    ["in a pair", '? ["FANOUT_LIMIT", `x`] : ["ITEM_KEYS", "y"]', ["FANOUT_LIMIT", "ITEM_KEYS"]],
    ["as a default", 'code: z.string().regex(/^[A-Z]{0,63}$/, "x").default("FAILED")', ["FAILED"]],
    ["as a fallback", 'code: run.errorInfo?.code ?? "RUN_FAILED",', ["RUN_FAILED"]],
  ])("sees one %s", (_how, source, codes) => {
    expect(findErrorCodes(source)).toEqual(codes);
  });

  it("leaves other words in capitals alone", () => {
    expect(findErrorCodes('if (code === "EEXIST") method("GET"); const x = "PORT";')).toEqual([]);
  });
});
