import { OvenError } from "@oven/contract";
import { addressOf, defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { AccessDeps } from "../access/access-deps.ts";
import { signInWithPassword } from "../access/password-sign-in.ts";
import { toRecord } from "../access/to-record.ts";
import { NewPasswordSchema } from "../account/new-password.ts";
import { beginTokenAttempt } from "../limits/token-attempts.ts";
import { claimFirstAdmin, isSetupOpen, requireSetupToken } from "./first-admin.ts";

const SetupSchema = z.strictObject({
  token: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(200),
  email: z.email(),
  password: NewPasswordSchema,
});

/** `GET` says whether set-up is open; `POST` creates the first admin and signs them in. Both are gone afterwards. */
export function setupRoutes(deps: () => AccessDeps): Route[] {
  const requireOpen = async () => {
    if (await isSetupOpen(deps().db, deps())) return;
    throw new OvenError("NOT_FOUND", "Set-up is done", { status: 404, fix: "Sign in at /login." });
  };
  return [
    defineRoute({
      method: "GET",
      path: "setup",
      operation: false,
      summary: "Whether the first admin is still to be made",
      access: "public",
      response: z.strictObject({ open: z.boolean() }),
      handler: async () => {
        await requireOpen();
        return ok({ open: true });
      },
    }),
    defineRoute({
      method: "POST",
      path: "setup",
      operation: false,
      summary: "Make the first admin with the one-time link's token",
      access: "public",
      body: SetupSchema,
      handler: async ({ body, request }) => {
        await requireOpen();
        const { db, auth, attempts, audit, environment, oidc } = deps();
        const claim = { secret: environment.secret, token: body.token, oidc };
        const succeeded = await beginTokenAttempt(attempts, addressOf(request));
        // Before the password is hashed, which is work that nobody should get for a wrong token.
        await requireSetupToken(db, claim);
        const { password } = await auth.$context;
        const user = await claimFirstAdmin(db, claim, {
          name: body.name,
          email: body.email,
          passwordHash: await password.hash(body.password),
        });
        await succeeded();
        await audit.record(toRecord(request, "setup", 201, user));
        return signInWithPassword(deps(), request, body.email.toLowerCase(), body.password, {
          name: body.name,
          email: body.email,
        });
      },
    }),
  ];
}
