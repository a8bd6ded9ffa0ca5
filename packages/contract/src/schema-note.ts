import { z } from "zod";

/** What those who are handed a tool's schema do not see of it, because they cannot take it. Each call is checked by all of it. */
export const SchemaNoteSchema = z.strictObject({
  /** `$.items[0]`, from the arguments. */
  path: z.string(),
  /** How it is weakened there. */
  what: z.enum([
    "left-out",
    "merged",
    "side-by-side",
    "any-of",
    "in-words",
    "any-value",
    "too-large",
    "recursive",
    "pattern",
    "with-pattern",
    "keys-by-pattern",
  ]),
  /** The keyword, property or pattern that it is about. */
  name: z.string().optional(),
  /** The same as an English sentence. */
  message: z.string(),
  /** Who does not see it: models of a provider, MCP clients. `check`: OVEN cannot check it either. */
  readers: z.array(z.enum(["check", "openai-api", "anthropic-api", "gemini-api", "mcp"])).min(1),
});
export type SchemaNote = z.infer<typeof SchemaNoteSchema>;
