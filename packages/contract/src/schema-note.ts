import { z } from "zod";

/** What those who are handed a tool's schema are not told of it, because they cannot take it. Each call is checked by all of it. */
export const SchemaNoteSchema = z.strictObject({
  /** `$.items[0]`, from the arguments. */
  path: z.string(),
  message: z.string(),
  /** Who is not told: models of a provider, MCP clients. `check`: OVEN cannot check it either. */
  readers: z.array(z.enum(["check", "openai", "anthropic", "gemini", "mcp"])).min(1),
});
export type SchemaNote = z.infer<typeof SchemaNoteSchema>;
