import { OvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { Auth } from "../access/auth.ts";
import { claimFirstAdmin, isSetupOpen } from "./first-admin.ts";

const SetupSchema = z.strictObject({
  token: z.string().min(1),
  name: z.string().trim().min(1).max(200),
  email: z.email(),
  password: z.string().min(10, "at least 10 characters").max(128),
});

/** `GET` says whether set-up is open; `POST` makes the first admin and signs him in. Both are gone afterwards. */
export function setupRoutes(deps: () => { db: Database; auth: Auth }): Route[] {
  const requireOpen = async () => {
    if (await isSetupOpen(deps().db)) return;
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
        const { db, auth } = deps();
        const { password } = await auth.$context;
        await claimFirstAdmin(db, body.token, {
          name: body.name,
          email: body.email,
          passwordHash: await password.hash(body.password),
        });
        const signedIn = await auth.api.signInEmail({
          body: { email: body.email.toLowerCase(), password: body.password },
          headers: request.headers,
          asResponse: true,
        });
        const headers = new Headers({ "content-type": "application/json" });
        for (const cookie of signedIn.headers.getSetCookie()) headers.append("set-cookie", cookie);
        return new Response(JSON.stringify({ user: { name: body.name, email: body.email } }), { status: 201, headers });
      },
    }),
  ];
}
