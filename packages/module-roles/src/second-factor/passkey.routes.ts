import { notFound, OvenError } from "@oven/contract";
import { PasskeyNameSchema, PasskeySchema, ProofSchema } from "@oven/contract/access";
import { created, defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { AccessDeps } from "../access/access-deps.ts";
import { hashSessionToken, sessionTokenIn } from "../access/hashed-sessions.ts";
import { requirePerson } from "../account/require-person.ts";
import { endOtherSessions, listPasskeys } from "./own-factors.ts";
import { requireProof } from "./proof.ts";

const IdParams = z.object({ id: z.coerce.number().int().positive() });
const MOST_PASSKEYS = 20;

/** The caller's own passkeys. Open also to those who must set up a second factor first. */
export function passkeyRoutes(deps: () => AccessDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "account/passkeys",
      operation: false,
      summary: "The caller's own passkeys",
      access: "session",
      beforeSecondFactor: true,
      response: z.array(PasskeySchema),
      handler: async ({ principal: { kind, userId } }) =>
        ok(kind === "user" && userId !== null ? await listPasskeys(deps().db, userId) : []),
    }),
    defineRoute({
      method: "POST",
      path: "account/passkeys/options",
      operation: false,
      summary: "What a browser needs to make a passkey (WebAuthn creation options)",
      access: "session",
      beforeSecondFactor: true,
      body: ProofSchema,
      handler: async ({ body, principal, request }) => {
        const { auth, db } = deps();
        const userId = await requireProof(deps(), request, principal, body);
        if ((await listPasskeys(db, userId)).length >= MOST_PASSKEYS) {
          throw new OvenError("TOO_MANY_KEYS", `A person has at most ${MOST_PASSKEYS} passkeys`, {
            status: 409,
            fix: "Remove one that you no longer use.",
          });
        }
        return auth.api.generatePasskeyRegistrationOptions({ headers: request.headers, asResponse: true });
      },
    }),
    defineRoute({
      method: "POST",
      path: "account/passkeys",
      operation: false,
      summary: "Register the passkey that a browser has made; all other sessions end",
      access: "session",
      beforeSecondFactor: true,
      body: z.strictObject({ name: PasskeyNameSchema, response: z.record(z.string(), z.unknown()) }),
      response: PasskeySchema,
      handler: async ({ body, principal, request }) => {
        const userId = requirePerson(principal);
        const { auth, db } = deps();
        const answer = await auth.api.verifyPasskeyRegistration({
          body: { name: body.name, response: body.response },
          headers: request.headers,
          asResponse: true,
        });
        if (!answer.ok) throw passkeyRefused(400);
        const { id } = z.object({ id: z.coerce.number() }).parse(await answer.json());
        const made = (await listPasskeys(db, userId)).find((one) => one.id === id);
        if (made === undefined) throw notFound("passkey", id);
        // Password and passkey were both shown in this session now; in the others they were not.
        const token = sessionTokenIn(request);
        await db.query(
          "update sessions set second_factor = coalesce(second_factor, 'passkey') where user_id = $1 and token = $2",
          [userId, hashSessionToken(token ?? "")],
        );
        await endOtherSessions(db, userId, token);
        return created(made);
      },
    }),
    defineRoute({
      method: "PUT",
      path: "account/passkeys/[id]",
      operation: false,
      summary: "Rename a passkey",
      access: "session",
      params: IdParams,
      body: z.strictObject({ name: PasskeyNameSchema }),
      effect: "idempotent",
      handler: async ({ params, body, principal }) => {
        const changed =
          principal.kind === "user"
            ? await deps().db.query("update passkeys set name = $3 where id = $1 and user_id = $2 returning id", [
                params.id,
                principal.userId,
                body.name,
              ])
            : [];
        if (changed.length === 0) throw notFound("passkey", params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "account/passkeys/[id]/remove",
      operation: false,
      summary: "Remove a passkey; all other sessions end",
      access: "session",
      params: IdParams,
      body: ProofSchema,
      handler: async ({ params, body, principal, request }) => {
        const { db } = deps();
        const [own] = await db.query("select id from passkeys where id = $1 and user_id = $2", [
          params.id,
          principal.kind === "user" ? principal.userId : null,
        ]);
        if (own === undefined) throw notFound("passkey", params.id);
        const userId = await requireProof(deps(), request, principal, body);
        await db.query("delete from passkeys where id = $1 and user_id = $2", [params.id, userId]);
        await endOtherSessions(db, userId, sessionTokenIn(request));
        return noContent();
      },
    }),
  ];
}

export function passkeyRefused(status: 400 | 401): OvenError {
  return new OvenError("PASSKEY_REFUSED", "This passkey was not accepted", {
    status,
    fix: "Try again, and confirm with a fingerprint, face or PIN. A passkey that was removed must be made anew.",
  });
}
