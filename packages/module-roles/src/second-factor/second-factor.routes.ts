import { OvenError } from "@oven/contract";
import {
  ProofSchema,
  RecoveryCodesSchema,
  type SecondFactor,
  SecondFactorCodeSchema,
  SecondFactorSchema,
  StartedSecondFactorSchema,
} from "@oven/contract/access";
import { addressOf, defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { AccessDeps } from "../access/access-deps.ts";
import { sessionTokenIn } from "../access/hashed-sessions.ts";
import { requirePerson } from "../account/require-person.ts";
import { limitsOf } from "../limits/sign-in-limits.ts";
import { isAppCode, takeCode, toPlainCode } from "./app-codes.ts";
import { endOtherSessions, recoveryCodesOf } from "./own-factors.ts";
import { requireProof, secondFactorWrong } from "./proof.ts";
import { SECOND_FACTOR_DEMANDED_OF_U } from "./session-principal.ts";

interface StateRow extends Record<string, unknown> {
  app: boolean;
  password: boolean;
  demanded: boolean;
}

/** The caller's own authenticator app and recovery codes. Open also to those who must set one up first. */
export function secondFactorRoutes(deps: () => AccessDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "account/second-factor",
      operation: false,
      summary: "How one proves beside the password that it is oneself",
      access: "session",
      beforeSecondFactor: true,
      response: SecondFactorSchema,
      handler: async ({ principal, request }) => {
        const { auth, db } = deps();
        const userId = requirePerson(principal);
        const session = await auth.api.getSession({ headers: request.headers });
        const [row] = await db.query<StateRow>(
          `select u.two_factor_enabled as app, ${SECOND_FACTOR_DEMANDED_OF_U} as demanded,
             exists (select from accounts a where a.user_id = u.id and a.provider_id = 'credential') as password
           from users u where u.id = $1`,
          [userId],
        );
        const app = row?.app === true;
        const state: SecondFactor = {
          app,
          recoveryCodesLeft: app ? (await recoveryCodesOf(auth, userId)).length : 0,
          password: row?.password === true,
          demanded: row?.demanded === true,
          session: (session?.session.secondFactor ?? null) !== null,
        };
        return ok(state);
      },
    }),
    defineRoute({
      method: "POST",
      path: "account/second-factor/start",
      operation: false,
      summary: "Begin to set up an authenticator app: its secret, which is shown once",
      access: "session",
      beforeSecondFactor: true,
      body: ProofSchema,
      response: StartedSecondFactorSchema,
      handler: async ({ body, principal, request }) => {
        await requireProof(deps(), request, principal, body);
        const { password } = body;
        const answer = await deps().auth.api.enableTwoFactor({
          body: { method: "totp", ...(password === undefined ? {} : { password }) },
          headers: request.headers,
          asResponse: true,
        });
        if (!answer.ok) throw alreadySet();
        const { totpURI: uri } = z.object({ totpURI: z.string() }).parse(await answer.json());
        return ok({ uri, secret: new URL(uri).searchParams.get("secret") ?? "" });
      },
    }),
    defineRoute({
      method: "POST",
      path: "account/second-factor/confirm",
      operation: false,
      summary: "Confirm the app by a first code: recovery codes, which are shown once; all other sessions end",
      access: "session",
      beforeSecondFactor: true,
      body: z.strictObject({ code: SecondFactorCodeSchema }),
      response: RecoveryCodesSchema,
      handler: async ({ body, principal, request }) => {
        const userId = requirePerson(principal);
        const { auth, attempts, db } = deps();
        const [row] = await db.query<{ app: boolean }>("select two_factor_enabled as app from users where id = $1", [
          userId,
        ]);
        if (row?.app === true) throw alreadySet();
        const code = toPlainCode(body.code);
        const succeeded = await attempts.begin(limitsOf(`user ${userId}`, addressOf(request)));
        const isNew = isAppCode(code) && (await takeCode(db, userId, code, Date.now()));
        const answer = isNew
          ? await auth.api.verifyTOTP({ body: { code }, headers: request.headers, asResponse: true })
          : undefined;
        if (answer?.ok !== true) throw secondFactorWrong(400);
        await succeeded();
        await endOtherSessions(db, userId, sessionTokenIn(answer));
        const headers = new Headers({ "content-type": "application/json" });
        for (const cookie of answer.headers.getSetCookie()) headers.append("set-cookie", cookie);
        const recoveryCodes = await recoveryCodesOf(auth, userId);
        return new Response(JSON.stringify({ recoveryCodes }), { status: 200, headers });
      },
    }),
    defineRoute({
      method: "POST",
      path: "account/second-factor/recovery-codes",
      operation: false,
      summary: "New recovery codes, which are shown once; the ones before are good for nothing",
      access: "session",
      body: ProofSchema,
      response: RecoveryCodesSchema,
      handler: async ({ body, principal, request }) => {
        await requireProof(deps(), request, principal, body);
        const { password } = body;
        const answer = await deps().auth.api.generateBackupCodes({
          body: password === undefined ? {} : { password },
          headers: request.headers,
          asResponse: true,
        });
        if (!answer.ok) throw notSet();
        const { backupCodes } = z.object({ backupCodes: z.array(z.string()) }).parse(await answer.json());
        return ok({ recoveryCodes: backupCodes });
      },
    }),
    defineRoute({
      method: "POST",
      path: "account/second-factor/turn-off",
      operation: false,
      summary: "Turn one's own authenticator app off, with the password and a code; all other sessions end",
      access: "session",
      body: ProofSchema,
      handler: async ({ body, principal, request }) => {
        const userId = await requireProof(deps(), request, principal, body);
        const { password } = body;
        const { auth, db } = deps();
        const answer = await auth.api.disableTwoFactor({
          body: password === undefined ? {} : { password },
          headers: request.headers,
          asResponse: true,
        });
        if (!answer.ok) throw notSet();
        await endOtherSessions(db, userId, sessionTokenIn(answer));
        const headers = new Headers();
        for (const cookie of answer.headers.getSetCookie()) headers.append("set-cookie", cookie);
        return new Response(null, { status: 204, headers });
      },
    }),
  ];
}

function alreadySet(): OvenError {
  return new OvenError("SECOND_FACTOR_SET", "An authenticator app is set up already", {
    status: 409,
    fix: "Turn it off first, with your password and a code.",
  });
}

function notSet(): OvenError {
  return new OvenError("SECOND_FACTOR_NOT_SET", "No authenticator app is set up", {
    status: 409,
    fix: "Set one up under Your account.",
  });
}
