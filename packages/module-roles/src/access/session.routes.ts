import { notFound, SessionSchema } from "@oven/contract";
import type { Database } from "@oven/db";
import { defineRoute, limitBody, ok, type Route } from "@oven/module-registry";
import type { Auth } from "./auth.ts";

const AUTH_BODY_LIMIT = 65_536;

interface UserRow extends Record<string, unknown> {
  id: number;
  name: string;
  email: string;
}

/** Who I am, and better-auth's own endpoints. */
export function sessionRoutes(deps: () => { db: Database; auth: Auth }): Route[] {
  const betterAuth = (method: "GET" | "POST") =>
    defineRoute({
      method,
      path: "auth/[...path]",
      operation: false,
      summary: "Sign in and out (better-auth)",
      access: "public",
      raw: true,
      handler: async ({ request }) => deps().auth.handler(await limitBody(request, AUTH_BODY_LIMIT)),
    });
  return [
    betterAuth("GET"),
    betterAuth("POST"),
    defineRoute({
      method: "GET",
      path: "session",
      operation: false,
      summary: "Who is signed in, and what he may do",
      access: "session",
      response: SessionSchema,
      handler: async ({ principal }) => {
        const [user] = await deps().db.query<UserRow>("select id, name, email from users where id = $1", [
          principal.userId,
        ]);
        if (user === undefined) throw notFound("user", principal.userId ?? "");
        return ok({ user, tenantId: principal.tenantId, permissions: principal.permissions });
      },
    }),
  ];
}
