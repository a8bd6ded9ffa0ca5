import { LookalikeGroupsSchema, lookalikesIn, notFound } from "@oven/contract";
import { RoleNameSchema, UserSchema } from "@oven/contract/access";
import { eq } from "@oven/db/drizzle";
import {
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
import { users } from "../schema.ts";
import { UserService } from "./user-service.ts";

const IdParams = z.object({ id: z.coerce.number().int().positive() });
/** What else a row holds may be sent back and is ignored. */
const UpdateUserSchema = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  roles: z.array(RoleNameSchema).max(50).optional(),
  disabled: z.boolean().optional(),
  id: z.unknown().optional(),
  email: z.unknown().optional(),
  secondFactor: z.unknown().optional(),
  lastSignInAt: z.unknown().optional(),
  createdAt: z.unknown().optional(),
});
const FIELDS = { id: users.id, name: users.name, email: users.email, createdAt: users.createdAt };

export function userRoutes(deps: () => AccessDeps): Route[] {
  const service = () => new UserService(deps().db);
  const one = async (tenantId: number, id: number) => {
    const rows = await deps().db.orm.select().from(users).where(eq(users.id, id));
    const [user] = await service().describe(rows.filter((row) => row.tenantId === tenantId));
    if (user === undefined) throw notFound("user", id);
    return user;
  };
  return [
    defineRoute({
      method: "GET",
      path: "users",
      operation: false,
      summary: "The users of this tenant",
      access: { permission: "users.read" },
      query: ListQuerySchema,
      response: z.array(UserSchema),
      handler: async ({ query, principal }) => {
        const params = toListParams(query);
        const { rows, total } = await listRows(deps().db.orm, principal, params, {
          table: users,
          fields: FIELDS,
          search: [users.name, users.email],
          tenant: users.tenantId,
        });
        return listReply("users", params, await service().describe(rows), total);
      },
    }),
    defineRoute({
      method: "GET",
      path: "user-lookalikes",
      operation: false,
      summary: "Names of users that people take for each other, in groups",
      access: { permission: "users.read" },
      response: LookalikeGroupsSchema,
      handler: async ({ principal: { tenantId } }) => {
        const rows = await deps().db.orm.select({ name: users.name }).from(users).where(eq(users.tenantId, tenantId));
        return ok(lookalikesIn(rows.map(({ name }) => name)));
      },
    }),
    defineRoute({
      method: "GET",
      path: "users/[id]",
      operation: false,
      summary: "One user",
      access: { permission: "users.read" },
      params: IdParams,
      response: UserSchema,
      handler: async ({ params, principal }) => ok(await one(principal.tenantId, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "users/[id]",
      operation: false,
      summary: "Rename a user, change their roles, disable or enable them",
      description: "Disabling ends their sessions at once and stops their keys within a second.",
      access: { permission: "users.update" },
      params: IdParams,
      body: UpdateUserSchema,
      response: UserSchema,
      effect: "idempotent",
      handler: async ({ params, body, principal }) => {
        await service().change(principal, params.id, { name: body.name, roles: body.roles, disabled: body.disabled });
        return ok(await one(principal.tenantId, params.id));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "users/[id]",
      operation: false,
      summary: "Remove a user with their sessions and keys",
      access: { permission: "users.delete" },
      params: IdParams,
      handler: async ({ params, principal }) => {
        await service().remove(principal, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "users/[id]/sign-out",
      operation: false,
      summary: "End every session of a user",
      access: { permission: "users.update" },
      params: IdParams,
      effect: "idempotent",
      handler: async ({ params, principal }) => {
        await service().signOut(principal, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "users/[id]/reset-second-factor",
      operation: false,
      summary: "Take a person's authenticator app, recovery codes and passkeys away, and end their sessions",
      access: { permission: "users.update" },
      params: IdParams,
      effect: "idempotent",
      handler: async ({ params, principal, services }) => {
        await service().resetSecondFactor(principal, params.id, services.events);
        return noContent();
      },
    }),
  ];
}
