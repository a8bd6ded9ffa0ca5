import type { Database } from "@oven/db";
import { z } from "zod";

/** Clients that registered and that no user has let in yet. */
const MOST_UNUSED = 1_000;
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

export type Registration = z.output<typeof RegistrationSchema> & { application_type: "web" | "native" };

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.has(hostname);
}

/**
 * The registration as it is passed on to the provider, which takes redirects to https, to http on this computer, and to schemes
 * of a program's own (RFC 8252). @returns what is wrong with it, as RFC 7591 §3.2.2 answers
 */
export function readRegistration(
  body: unknown,
): { registration: Registration } | { error: string; description: string } {
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

/** Of a client that no user has let in. */
const UNUSED = "c.user_id is null and not exists (select from oauth_consents o where o.client_id = c.client_id)";

/**
 * Makes room for one more client: anonymous registrations must not shut later ones out. Unused clients of a day ago go, then as
 * many as exceed the bound, the oldest first. A client that a user was asked about within ten minutes is the last to go, so that
 * a flood of registrations does not take it away while they read the question. A client that a user has let in stays.
 */
export async function makeRoomForClient(db: Database): Promise<void> {
  await db.query(
    `delete from oauth_clients where id in (
       select id from (
         select c.id, c.updated_at < now() - interval '1 day' as expired,
           row_number() over (order by
             (c.updated_at > c.created_at and c.updated_at > now() - interval '10 minutes') desc,
             c.created_at desc, c.id desc) as place
         from oauth_clients c where ${UNUSED}) ranked
       where expired or place >= $1)`,
    [MOST_UNUSED],
  );
}

/** A signed-in user is being asked about this client: see `makeRoomForClient`. */
export async function noteQuestion(db: Database, clientId: string): Promise<void> {
  await db.query("update oauth_clients set updated_at = now() where client_id = $1", [clientId]);
}
