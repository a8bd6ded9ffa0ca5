import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { installedModules } from "../../../packages/installation/src/modules.ts";
import { defineModule, defineNode, done } from "../../../packages/module-registry/src/index.ts";
import { describeSchema } from "./describe-schema.ts";
import { toNodeReference } from "./node-page.ts";

const folder = join(import.meta.dirname, "../../../docs/nodes");

describe("the node reference", () => {
  it("is up to date: `pnpm node-reference` would change nothing", () => {
    const pages = toNodeReference(installedModules({ demo: true }));
    expect(readdirSync(folder).sort()).toEqual(pages.map(({ file }) => file).sort());
    for (const { file, text } of pages) expect(readFileSync(join(folder, file), "utf8"), file).toBe(text);
  });

  it("shows a node's inputs with type, default and description", () => {
    const stamp = defineNode({
      id: "post.stamp",
      version: 2,
      title: "Stamp",
      docs: "Stamps letters: one by one. Slow.",
      category: "core",
      kind: "data",
      effect: "idempotent",
      input: z.strictObject({
        size: z.enum(["s", "l"]).default("s").describe("How large | wide"),
        letters: z.array(z.string()),
      }),
      output: z.strictObject({ count: z.int().min(1) }),
      run: async () => done({ count: 1 }),
    });
    const post = defineModule({
      name: "post",
      namespace: "post",
      description: "Post.",
      dependencies: [],
      nodes: [stamp],
    });
    const [index, page] = toNodeReference([post]);
    expect(index?.text).toContain("| [`post.stamp`](post.stamp.md) | Stamp | idempotent | Stamps letters. |");
    expect(page?.file).toBe("post.stamp.md");
    expect(page?.text).toContain('| `size` | "s" or "l" | default `"s"` | How large \\| wide |');
    expect(page?.text).toContain("| `letters` | list of text | required |  |");
    expect(page?.text).toContain("| `count` | integer ≥ 1 | required |  |");
  });

  it.each([
    [{}, "any JSON"],
    [{ type: ["integer", "null"] }, "integer or null"],
    [{ anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#/$defs/json" } }] }, "any JSON"],
    [{ type: "object", properties: { a: {}, b: {} }, required: ["a"] }, "{a, b?}"],
    [{ type: "number", minimum: 0, maximum: 2 }, "number 0–2"],
  ])("describes %j as %s", (schema, text) => {
    expect(describeSchema(schema)).toBe(text);
  });
});
