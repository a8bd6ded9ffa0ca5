import { readFile } from "node:fs/promises";
import { notFound } from "@oven/contract";
import {
  type Effect,
  EffectSchema,
  type Findable,
  FORMAT_STATES,
  NodeCategorySchema,
  type NodeType,
  NodeTypeSchema,
  searchNodes,
} from "@oven/contract/node";
import { GuideTopicSchema } from "@oven/contract/workflow";
import { defineTool, type ToolDefinition } from "@oven/module-registry";
import { z } from "zod";
import { GUIDE, readGuide } from "../definitions/definition-guide.ts";
import type { RegisteredNodes } from "./node-catalog.ts";

const permission = "system.read";
const ERROR_PAGES = new URL("../../../../docs/errors/", import.meta.url);

const CategorySchema = z.enum([...NodeCategorySchema.options, "structure"]);

interface FoundStep extends Findable {
  category: z.infer<typeof CategorySchema>;
  effect?: Effect;
}

const STATES: readonly FoundStep[] = FORMAT_STATES.map(({ id, synonyms, about }) => ({
  ...{ id, title: id, docs: about, synonyms, isOperation: false, category: "structure" },
}));

function toFindable({ id, title, docs, synonyms, category, effect }: NodeType): FoundStep {
  const item = { id, title, docs, category, effect, isOperation: category === "api" };
  return synonyms === undefined ? item : { ...item, synonyms };
}

/** As the palette of the editor ranks; where nothing has all of the words, what has most of them. */
function findSteps(items: readonly FoundStep[], words: string): FoundStep[] {
  const found = searchNodes(items, words);
  if (found.length > 0) return found;
  const hits = new Map<FoundStep, number>();
  for (const word of words.trim().split(/\s+/))
    searchNodes(items, word).forEach((item, rank) => {
      hits.set(item, (hits.get(item) ?? 0) + 1 + 1 / (rank + 2));
    });
  return [...hits].toSorted(([, one], [, other]) => other - one).map(([item]) => item);
}

/** Of an about: enough to choose by. */
const MAX_ABOUT = 220;

function firstSentence(docs: string): string {
  const [line = ""] = docs.split("\n", 1);
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  return sentence.length > MAX_ABOUT ? `${sentence.slice(0, MAX_ABOUT - 1)}…` : sentence;
}

/** For those who write definitions with the help of a model: what steps there are, and what an error means. */
export function nodeTools(nodes: () => RegisteredNodes): ToolDefinition[] {
  return [
    defineTool({
      id: "nodes.find",
      title: "Find node types",
      description:
        "Finds what the states of a workflow can be: node types that a step invokes, and states of the format itself (loops, branches, ends). The best fit comes first",
      input: z.strictObject({
        words: z.string().max(200).default("").describe("loop; classify; human review. Empty: all"),
        category: CategorySchema.optional().describe(
          "`api`: one for each operation of each module; `structure`: states of the format, which invoke nothing",
        ),
        limit: z.int().min(1).max(200).default(10),
      }),
      output: z.strictObject({
        total: z.int(),
        nodes: z.array(
          z.strictObject({
            id: z.string(),
            title: z.string(),
            category: CategorySchema,
            effect: EffectSchema.optional(),
            about: z.string(),
          }),
        ),
      }),
      effect: "pure",
      permission,
      async run({ input: { words, category, limit } }) {
        const all = [...nodes().types().map(toFindable), ...STATES].filter(
          (item) => category === undefined || item.category === category,
        );
        const found = findSteps(all, words);
        const shown = found.slice(0, limit).map(({ id, title, category: kind, effect, docs }) => {
          return { id, title, category: kind, ...(effect === undefined ? {} : { effect }), about: firstSentence(docs) };
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
      id: "definitions.guide",
      title: "Read the guide to definitions",
      description:
        "Says how workflow definitions are written: one topic at a time, as Markdown. Without a topic: the overview, and what other topics there are",
      input: z.strictObject({ topic: GuideTopicSchema.default("overview") }),
      output: z.strictObject({
        topic: GuideTopicSchema,
        text: z.string().describe("Markdown"),
        topics: z.array(z.strictObject({ topic: GuideTopicSchema, about: z.string() })).optional(),
      }),
      effect: "pure",
      permission,
      run: async ({ input: { topic } }) => ({
        topic,
        text: await readGuide(topic),
        ...(topic === "overview" ? { topics: GUIDE.map((entry) => ({ ...entry })) } : {}),
      }),
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
