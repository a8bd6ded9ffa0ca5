import { notFound, OvenError } from "@oven/contract";
import { UserSessionSchema } from "@oven/contract/access";
import { addressOf, defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { AccessDeps } from "../access/access-deps.ts";
import { limitsOf } from "../limits/sign-in-limits.ts";
import { NewPasswordSchema } from "./new-password.ts";
import { requirePerson } from "./require-person.ts";

const IdParams = z.object({ id: z.coerce.number().int().positive() });

interface SessionRow extends Record<string, unknown> {
  id: number;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date;
  expires_at: Date;
}

/** One's own password and sessions. A key is not a person: it has neither. */
export function accountRoutes(deps: () => AccessDeps): Route[] {
  const currentSession = async (request: Request): Promise<number | undefined> => {
    const session = await deps().auth.api.getSession({ headers: request.headers });
    return session === null ? undefined : Number(session.session.id);
  };
  return [
    defineRoute({
      method: "POST",
      path: "account/password",
      operation: false,
      summary: "Change one's own password; every other session ends",
      access: "session",
      body: z.strictObject({ currentPassword: z.string().min(1).max(128), newPassword: NewPasswordSchema }),
      handler: async ({ body, principal, request }) => {
        requirePerson(principal);
        const { auth, attempts } = deps();
        const succeeded = await attempts.begin(limitsOf(`user ${principal.userId}`, addressOf(request)));
        const changed = await auth.api.changePassword({
          body: { ...body, revokeOtherSessions: true },
          headers: request.headers,
          asResponse: true,
        });
        if (!changed.ok) {
          throw new OvenError("PASSWORD_WRONG", "The current password is not right", {
            status: 400,
            path: "$.currentPassword",
            fix: "Type the password you signed in with.",
          });
        }
        await succeeded();
        const headers = new Headers();
        for (const cookie of changed.headers.getSetCookie()) headers.append("set-cookie", cookie);
        return new Response(null, { status: 204, headers });
      },
    }),
    defineRoute({
      method: "GET",
      path: "account/sessions",
      operation: false,
      summary: "Where one is signed in",
      access: "session",
      response: z.array(UserSessionSchema),
      handler: async ({ principal, request }) => {
        if (principal.kind !== "user") return ok([]);
        const current = await currentSession(request);
        const rows = await deps().db.query<SessionRow>(
          `select id, ip_address, user_agent, created_at, expires_at from sessions
           where user_id = $1 and expires_at > now() order by created_at desc, id desc`,
          [principal.userId],
        );
        return ok(
          rows.map((row) => ({
            id: row.id,
            current: row.id === current,
            address: row.ip_address === "" ? null : row.ip_address,
            userAgent: row.user_agent === "" ? null : row.user_agent,
            createdAt: row.created_at.toISOString(),
            expiresAt: row.expires_at.toISOString(),
          })),
        );
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "account/sessions/[id]",
      operation: false,
      summary: "End one of one's own sessions",
      access: "session",
      params: IdParams,
      handler: async ({ params, principal }) => {
        const gone =
          principal.kind === "user"
            ? await deps().db.query("delete from sessions where id = $1 and user_id = $2 returning id", [
                params.id,
                principal.userId,
              ])
            : [];
        if (gone.length === 0) throw notFound("session", params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "account/sessions/end-others",
      operation: false,
      summary: "End all of one's own sessions but this one",
      access: "session",
      effect: "idempotent",
      handler: async ({ principal, request }) => {
        requirePerson(principal);
        await deps().db.query("delete from sessions where user_id = $1 and id <> $2", [
          principal.userId,
          (await currentSession(request)) ?? 0,
        ]);
        return noContent();
      },
    }),
  ];
}
