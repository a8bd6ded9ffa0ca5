import { readFile } from "node:fs/promises";
import { notFound } from "@oven/contract";
import { NodeCategorySchema, NodeTypeSchema } from "@oven/contract/node";
import { defineTool, type ToolDefinition } from "@oven/module-registry";
import { z } from "zod";
import type { RegisteredNodes } from "./node-catalog.ts";

const permission = "system.read";
const ERROR_PAGES = new URL("../../../../docs/errors/", import.meta.url);

/** For whoever writes definitions with the help of a model: what steps there are, and what an error means. */
export function nodeTools(nodes: () => RegisteredNodes): ToolDefinition[] {
  return [
    defineTool({
      id: "nodes.find",
      title: "Find node types",
      description: "Lists the node types that a workflow's steps can have, with what each is for",
      input: z.strictObject({
        words: z.string().max(200).default("").describe("Words that id, title or description contain; empty: all"),
        category: NodeCategorySchema.optional().describe("`api`: one for each operation of each module"),
        limit: z.int().min(1).max(200).default(50),
      }),
      output: z.strictObject({
        total: z.int(),
        nodes: z.array(
          NodeTypeSchema.pick({ id: true, title: true, category: true, effect: true }).extend({ about: z.string() }),
        ),
      }),
      effect: "pure",
      permission,
      async run({ input: { words, category, limit } }) {
        const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
        const found = nodes()
          .types()
          .filter((type) => category === undefined || type.category === category)
          .filter(({ id, title, docs }) => {
            const text = `${id} ${title} ${docs}`.toLowerCase();
            return wanted.every((word) => text.includes(word));
          });
        const shown = found.slice(0, limit).map(({ id, title, category: kind, effect, docs }) => {
          return { id, title, category: kind, effect, about: docs.split("\n", 1)[0] ?? "" };
        });
        return { total: found.length, nodes: shown };
      },
    }),
    defineTool({
      id: "nodes.describe",
      title: "Describe a node type",
      description: "Gives a node type whole: its documentation, the schemas of its input and output, its outcomes",
      input: z.strictObject({ id: z.string().min(1).max(200).describe("`agent.llm`, `core.transform`") }),
      output: NodeTypeSchema,
      effect: "pure",
      permission,
      async run({ input: { id } }) {
        const type = nodes()
          .types()
          .find((one) => one.id === id);
        if (type === undefined) throw notFound("node type", id);
        return type;
      },
    }),
    defineTool({
      id: "errors.explain",
      title: "Explain an error",
      description: "Says what the code of an error means, when it happens and what to do",
      input: z.strictObject({ code: z.string().regex(/^[A-Z][A-Z0-9_]{1,60}$/, "a code such as INVALID_DEFINITION") }),
      output: z.strictObject({ code: z.string(), text: z.string().describe("Markdown") }),
      effect: "pure",
      permission,
      async run({ input: { code } }) {
        try {
          return { code, text: await readFile(new URL(`${code}.md`, ERROR_PAGES), "utf8") };
        } catch (error) {
          if (error instanceof Error && "code" in error && error.code === "ENOENT") throw notFound("error", code);
          throw error;
        }
      },
    }),
  ];
}
