import { OvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import { z } from "zod";

/** Programs that registered and that nobody has let in yet. */
const MOST_WAITING = 1_000;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** What is kept of a registration (RFC 7591): no pictures, keys or addresses that the server would have to fetch. */
const RegistrationSchema = z.object({
  client_name: z.string().max(100).optional(),
  client_uri: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(10),
  grant_types: z.array(z.enum(["authorization_code", "refresh_token"])).optional(),
  response_types: z.array(z.literal("code")).optional(),
  token_endpoint_auth_method: z.enum(["none", "client_secret_basic", "client_secret_post"]).optional(),
  software_id: z.string().max(200).optional(),
  software_version: z.string().max(50).optional(),
});

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.has(hostname);
}

/**
 * The registration as it is passed on to the provider, which takes redirects to https, to http on this computer, and to schemes
 * of a program's own (RFC 8252). @returns what is wrong with it, as RFC 7591 §3.2.2 answers
 */
export function readRegistration(body: unknown): { registration: object } | { error: string; description: string } {
  const parsed = RegistrationSchema.safeParse(body);
  if (parsed.success) {
    // Programs on a person's computer seldom say that they are native, and are refused their redirects without it.
    const isWeb = parsed.data.redirect_uris.every((uri) => uri.startsWith("https:"));
    return { registration: { ...parsed.data, application_type: isWeb ? "web" : "native" } };
  }
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? "");
  return {
    error: field === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata",
    description: `${issue?.path.join(".") ?? "the body"}: ${issue?.message ?? "is not valid"}`,
  };
}

/**
 * Forgets programs that registered a day ago and that nobody let in, and keeps the rest within bounds.
 * @throws OvenError TOO_MANY_REQUESTS
 */
export async function requireRoomForClient(db: Database): Promise<void> {
  const unused =
    "user_id is null and not exists (select from oauth_consents o where o.client_id = oauth_clients.client_id)";
  await db.query(`delete from oauth_clients where ${unused} and created_at < now() - interval '1 day'`);
  const [row] = await db.query<{ waiting: number }>(
    `select count(*)::int as waiting from oauth_clients where ${unused}`,
  );
  if ((row?.waiting ?? 0) < MOST_WAITING) return;
  throw new OvenError("TOO_MANY_REQUESTS", `${MOST_WAITING} programs have registered that nobody has let in`, {
    status: 429,
    retryAfterMs: 3_600_000,
    fix: "Try again in an hour: those of a day ago are forgotten. Or use an API key.",
  });
}
