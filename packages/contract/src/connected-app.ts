import { z } from "zod";

/** A program as a person is shown it. */
const AppClientSchema = z.strictObject({
  /** Its own word. */
  name: z.string(),
  uri: z.string().nullable(),
  /** The document by whose address it is known; null: it has registered itself. */
  document: z.string().nullable(),
  /** Where people are sent back to: the part that it cannot make up. */
  returnsTo: z.string(),
  /** It runs on the person's own computer. */
  local: z.boolean(),
});

/** A permission in plain words. */
const AppScopeSchema = z.strictObject({ id: z.string(), title: z.string() });

/** What a program asks a person for, before they grant it access. */
export const ConnectionRequestSchema = z.strictObject({
  client: AppClientSchema,
  server: z.strictObject({ title: z.string(), url: z.string() }),
  /** What it may do once it is let in. */
  scopes: z.array(AppScopeSchema),
  /** Asked for, but the person may not do it themselves. */
  withheld: z.array(AppScopeSchema),
  /** It stays connected until it is disconnected. */
  offline: z.boolean(),
});
export type ConnectionRequest = z.infer<typeof ConnectionRequestSchema>;

/** A program that acts in a person's name over MCP. */
export const ConnectedAppSchema = z.strictObject({
  id: z.int(),
  client: AppClientSchema,
  /** Titles of the MCP servers. */
  servers: z.array(z.string()),
  scopes: z.array(AppScopeSchema),
  allowedAt: z.string(),
  lastTokenAt: z.string().nullable(),
});
export type ConnectedApp = z.infer<typeof ConnectedAppSchema>;

/** The same for whoever keeps the users: with whose name it acts in. */
export const OthersAppSchema = ConnectedAppSchema.extend({
  user: z.strictObject({ id: z.int(), name: z.string(), email: z.string() }),
});
export type OthersApp = z.infer<typeof OthersAppSchema>;
