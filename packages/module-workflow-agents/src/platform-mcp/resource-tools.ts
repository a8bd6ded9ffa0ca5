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

/** Lists of the catalogue by what is listed. */
const LISTS = {
  agents: "agents.agents.list",
  vector_stores: "ai.vectorStores.list",
  tables: "tables.definitions.list",
};

/** Rows of these lists that a step can name; what else they have is not needed for that. */
const RowsSchema = z.array(
  z.object({ slug: z.string(), name: z.string(), description: z.string().nullable().optional() }),
);

/** What steps can name besides tools. */
export const resourceTools: readonly PlatformTool[] = [
  definePlatformTool({
    name: "list_resources",
    title: "List what steps can name",
    description:
      "Agents (agent.subagent), vector stores (agent.rag) and tables (tables.find …) that there are, by slug. Tools, also those of connections, are in list_tools.",
    input: z.strictObject({
      kind: z.enum(["agents", "vector_stores", "tables"]),
      words: z.string().max(200).optional().describe("Words that the name has"),
      ...pageInput,
    }),
    output: z.strictObject({
      resources: z.array(z.strictObject({ slug: z.string(), name: z.string(), about: z.string() })),
      ...pageOutput,
    }),
    calls: [LISTS.agents],
    run: async ({ input: { kind, words, ...page }, call }) => {
      const asked = toListArguments(page, words ? { q: words } : {});
      const { rows, next_offset } = toPage(page, await call(LISTS[kind], asked, RowsSchema));
      return {
        resources: rows.map(({ slug, name, description }) => ({ slug, name, about: toAbout(description ?? "", 120) })),
        next_offset,
      };
    },
  }),
];
