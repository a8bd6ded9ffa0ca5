import { notFound } from "@oven/contract";
import { SessionSchema, SignInMethodsSchema } from "@oven/contract/access";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { takesPasskeys } from "../second-factor/plugins.ts";
import type { AccessDeps } from "./access-deps.ts";

interface UserRow extends Record<string, unknown> {
  id: number;
  name: string;
  email: string;
}

/** Who I am, and how I may sign in. */
export function sessionRoutes(deps: () => AccessDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "sign-in-methods",
      operation: false,
      summary: "How one may sign in here",
      access: "public",
      response: SignInMethodsSchema,
      handler: async () =>
        ok({ password: true, oidc: deps().oidc, passkey: takesPasskeys(deps().environment.publicUrl) }),
    }),
    defineRoute({
      method: "GET",
      path: "session",
      operation: false,
      summary: "Who is signed in, and what they may do",
      access: "session",
      beforeSecondFactor: true,
      response: SessionSchema,
      handler: async ({ principal, request, services }) => {
        const [user] = await deps().db.query<UserRow>("select id, name, email from users where id = $1", [
          principal.userId,
        ]);
        if (user === undefined) throw notFound("user", principal.userId ?? "");
        const { lacksSecondFactor } = (await services.authenticate(request, { beforeSecondFactor: true })) ?? {};
        return ok({
          user,
          tenantId: principal.tenantId,
          permissions: principal.permissions,
          secondFactorNeeded: lacksSecondFactor === true,
        });
      },
    }),
  ];
}
