import { z } from "zod";

/** Who is signed in: the answer of `GET /api/session`. */
export const SessionSchema = z.strictObject({
  user: z.strictObject({ id: z.int(), name: z.string(), email: z.string() }),
  tenantId: z.int(),
  permissions: z.array(z.string()),
});
export type Session = z.infer<typeof SessionSchema>;

/** An API key as lists show it; never its value. */
export const ApiKeySchema = z.strictObject({
  id: z.int(),
  name: z.string().nullable(),
  /** The first characters, to tell keys apart. */
  start: z.string().nullable(),
  permissions: z.array(z.string()),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  createdAt: z.string(),
});
export type ApiKey = z.infer<typeof ApiKeySchema>;

/** The answer to making one: the only time the key itself is shown. */
export const CreatedApiKeySchema = ApiKeySchema.extend({ key: z.string() });
export type CreatedApiKey = z.infer<typeof CreatedApiKeySchema>;
