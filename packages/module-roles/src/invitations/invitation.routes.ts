import { notFound } from "@oven/contract";
import { CreatedInvitationSchema, type Invitation, InvitationSchema, RoleNameSchema } from "@oven/contract/access";
import { eq } from "@oven/db/drizzle";
import {
  addressOf,
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  listRows,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { AccessDeps } from "../access/access-deps.ts";
import { signInWithPassword } from "../access/password-sign-in.ts";
import { toRecord } from "../access/to-record.ts";
import { NewPasswordSchema } from "../account/new-password.ts";
import { beginTokenAttempt } from "../limits/token-attempts.ts";
import { invitations } from "../schema.ts";
import { InvitationService } from "./invitation-service.ts";

const IdParams = z.object({ id: z.coerce.number().int().positive() });
const CreateInvitationSchema = z.strictObject({
  email: z.email().max(320).toLowerCase(),
  roles: z.array(RoleNameSchema).min(1).max(50),
});
const TokenSchema = z.string().min(1).max(200);
const FIELDS = {
  id: invitations.id,
  email: invitations.email,
  createdAt: invitations.createdAt,
  expiresAt: invitations.expiresAt,
};

/** Inviting people, and what the invited person does with their link. No mail is sent: the inviter hands the link over. */
export function invitationRoutes(deps: () => AccessDeps): Route[] {
  const service = () => new InvitationService(deps().db);
  return [
    defineRoute({
      method: "GET",
      path: "invitations",
      operation: false,
      summary: "Invitations of this tenant; never their links",
      access: { permission: "users.read" },
      query: ListQuerySchema,
      response: z.array(InvitationSchema),
      handler: async ({ query, principal }) => {
        const params = toListParams(query);
        const { rows, total } = await listRows(deps().db.orm, principal, params, {
          table: invitations,
          fields: FIELDS,
          search: [invitations.email],
          tenant: invitations.tenantId,
        });
        return listReply("invitations", params, rows.map(toInvitation), total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "invitations",
      operation: false,
      summary: "Invite a person; the link is in this answer and never shown again",
      access: { permission: "users.create" },
      body: CreateInvitationSchema,
      response: CreatedInvitationSchema,
      handler: async ({ body, principal }) => {
        const { id, token } = await service().create(principal, body.email, [...new Set(body.roles)]);
        const { db, environment } = deps();
        const [row] = await db.orm.select().from(invitations).where(eq(invitations.id, id));
        if (row === undefined) throw notFound("invitation", id);
        return created({ ...toInvitation(row), link: `${environment.publicUrl}/invitation?token=${token}` });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "invitations/[id]",
      operation: false,
      summary: "Revoke an open invitation",
      access: { permission: "users.create" },
      params: IdParams,
      handler: async ({ params, principal }) => {
        await service().revoke(principal, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "invitations/inspect",
      operation: false,
      summary: "Whom an invitation's token is for",
      access: "public",
      body: z.strictObject({ token: TokenSchema }),
      response: z.strictObject({ email: z.string(), roles: z.array(z.string()) }),
      effect: "pure",
      handler: async ({ body, request }) => {
        const succeeded = await beginTokenAttempt(deps().attempts, addressOf(request));
        const { email, roles } = await service().open(body.token);
        await succeeded();
        return ok({ email, roles });
      },
    }),
    defineRoute({
      method: "POST",
      path: "invitations/accept",
      operation: false,
      summary: "Become a user with an invitation's token, and sign in",
      access: "public",
      body: z.strictObject({
        token: TokenSchema,
        name: z.string().trim().min(1).max(200),
        password: NewPasswordSchema,
      }),
      handler: async ({ body, request }) => {
        const { auth, attempts, audit } = deps();
        const succeeded = await beginTokenAttempt(attempts, addressOf(request));
        // Before the password is hashed, which is work that nobody should get for a wrong token.
        await service().open(body.token);
        const { password } = await auth.$context;
        const user = await service().accept(body.token, {
          name: body.name,
          passwordHash: await password.hash(body.password),
        });
        await succeeded();
        await audit.record(toRecord(request, "invitation.accept", 201, user));
        return signInWithPassword(deps(), request, user.email, body.password, { name: body.name, email: user.email });
      },
    }),
  ];
}

function toInvitation(row: typeof invitations.$inferSelect): Invitation {
  return {
    id: row.id,
    email: row.email,
    roles: row.roles,
    status:
      row.acceptedAt !== null
        ? "accepted"
        : row.revokedAt !== null
          ? "revoked"
          : row.expiresAt.getTime() <= Date.now()
            ? "expired"
            : "open",
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
