import { JsonSchema } from "@oven/contract";
import { CatalogToolSchema } from "@oven/contract/agent";
import { NodeTypeSchema } from "@oven/contract/node";
import { GuideTopicSchema } from "@oven/contract/workflow";
import { z } from "zod";
import {
  definePlatformTool,
  type PlatformTool,
  pageInput,
  pageOutput,
  toAbout,
  toListArguments,
  toPage,
} from "./platform-tool.ts";
import { toShortSchema } from "./short-schema.ts";

const SchemaDocument = z.record(z.string(), JsonSchema);
const CategorySchema = z.enum(["core", "agent", "data", "api", "structure"]);

const FoundSchema = z.object({
  total: z.int(),
  nodes: z.array(z.object({ id: z.string(), title: z.string(), category: z.string(), about: z.string() })),
});

/** What one looks up before and while one writes a definition. */
export const lookUpTools: readonly PlatformTool[] = [
  definePlatformTool({
    name: "definition_guide",
    title: "Read how definitions are written",
    description:
      "The guide to workflow definitions, one topic at a time, as Markdown. Begin with `examples`: whole definitions to go by.",
    input: z.strictObject({ topic: GuideTopicSchema.default("overview") }),
    output: z.strictObject({
      topic: GuideTopicSchema,
      text: z.string(),
      topics: z.array(z.strictObject({ topic: GuideTopicSchema, about: z.string() })).optional(),
    }),
    calls: ["definitions.guide"],
    run: async ({ input, call }) => {
      const answer = z.object({
        topic: GuideTopicSchema,
        text: z.string(),
        topics: z.array(z.strictObject({ topic: GuideTopicSchema, about: z.string() })).optional(),
      });
      return call("definitions.guide", input, answer);
    },
  }),
  definePlatformTool({
    name: "find_node_types",
    title: "Find node types",
    description:
      "What the states of a workflow can be: node types to invoke and states of the format itself (loop, choice, end). The best fit comes first.",
    input: z.strictObject({
      words: z.string().max(200).default("").describe("loop; classify; human review; http"),
      category: CategorySchema.optional().describe("`api`: operations of modules; `structure`: states of the format"),
      limit: z.int().min(1).max(50).default(6),
    }),
    output: z.strictObject({
      total: z.int(),
      node_types: z.array(
        z.strictObject({ node_type: z.string(), title: z.string(), category: z.string(), about: z.string() }),
      ),
    }),
    calls: ["nodes.find"],
    run: async ({ input, call }) => {
      const { total, nodes } = await call("nodes.find", input, FoundSchema);
      return {
        total,
        node_types: nodes.map(({ id, title, category, about }) => ({ node_type: id, title, category, about })),
      };
    },
  }),
  definePlatformTool({
    name: "describe_node_type",
    title: "Describe a node type",
    description: "Documentation, input and output of a node type. `input` is what `invoke.input` takes.",
    input: z.strictObject({ node_type: z.string().min(1).max(200).describe("agent.llm") }),
    output: z.strictObject({
      node_type: z.string(),
      title: z.string(),
      docs: z.string(),
      input: SchemaDocument,
      output: SchemaDocument,
      outcomes: z.array(JsonSchema),
      permissions: z.array(z.string()),
      effect: z.string(),
      waits: z.boolean().describe("It waits for a person, a time or an event: no timeoutMs"),
    }),
    calls: ["nodes.describe"],
    run: async ({ input: { node_type }, call }) => {
      const type = await call("nodes.describe", { id: node_type }, NodeTypeSchema);
      const { id, title, docs, inputSchema, outputSchema, outcomes, permissions, effect, isWait } = type;
      return {
        ...{ node_type: id, title, docs, permissions, effect, waits: isWait, outcomes: [...outcomes] },
        input: toShortSchema(inputSchema),
        output: toShortSchema(outputSchema),
      };
    },
  }),
  definePlatformTool({
    name: "list_tools",
    title: "List tools for models",
    description: "The tools that model steps can be given (`tools`), a page at a time. describe_tool has the schemas.",
    input: z.strictObject({
      words: z.string().max(200).optional().describe("Words that id, title or description have"),
      group: z.string().max(200).optional().describe("First part of the id: `orders`, `mcp.shop`"),
      ...pageInput,
    }),
    output: z.strictObject({
      tools: z.array(z.strictObject({ tool_id: z.string(), about: z.string(), needs_approval: z.boolean() })),
      ...pageOutput,
    }),
    calls: ["agents.tools.list"],
    run: async ({ input: { words, group, ...page }, call }) => {
      const filter = { ...(words ? { q: words } : {}), ...(group === undefined ? {} : { group }) };
      const asked = toListArguments(page, filter, ["id", "ASC"]);
      const { rows, next_offset } = toPage(page, await call("agents.tools.list", asked, z.array(CatalogToolSchema)));
      return {
        tools: rows.map(({ id, description, needsApproval }) => ({
          ...{ tool_id: id, about: toAbout(description, 120), needs_approval: needsApproval },
        })),
        next_offset,
      };
    },
  }),
  definePlatformTool({
    name: "describe_tool",
    title: "Describe a tool for models",
    description: "What one tool of list_tools takes and answers.",
    input: z.strictObject({ tool_id: z.string().min(1).max(300) }),
    output: z.strictObject({
      tool_id: z.string(),
      title: z.string(),
      description: z.string(),
      input: SchemaDocument,
      output: SchemaDocument,
      effect: z.string(),
      needs_approval: z.boolean(),
    }),
    calls: ["agents.tools.get"],
    run: async ({ input: { tool_id }, call }) => {
      const tool = await call("agents.tools.get", { id: tool_id }, CatalogToolSchema);
      const { id, title, description, inputSchema, outputSchema, effect, needsApproval } = tool;
      return {
        ...{ tool_id: id, title, description, effect, needs_approval: needsApproval },
        input: toShortSchema(inputSchema),
        output: toShortSchema(outputSchema),
      };
    },
  }),
  definePlatformTool({
    name: "explain_error",
    title: "Explain an error",
    description: "What the code of an error means, when it happens and what to do: the page that its `docs` names.",
    input: z.strictObject({ code: z.string().min(1).max(61).describe("INVALID_DEFINITION") }),
    output: z.strictObject({ code: z.string(), text: z.string() }),
    calls: ["errors.explain"],
    run: async ({ input, call }) => call("errors.explain", input, z.object({ code: z.string(), text: z.string() })),
  }),
];
