import { notFound, OvenError, SHARED_TENANT } from "@oven/contract";
import { PermissionInfoSchema, PermissionSchema, type Role, RoleNameSchema, RoleSchema } from "@oven/contract/access";
import type { Queryable } from "@oven/db";
import { and, eq, inArray } from "@oven/db/drizzle";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  listRows,
  noContent,
  ok,
  type RegistryView,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { AccessDeps } from "../access/access-deps.ts";
import { requireAll } from "../access/grants.ts";
import { roles } from "../schema.ts";

const IdParams = z.object({ id: z.coerce.number().int().positive() });
const fields = {
  title: z.string().trim().min(1).max(100),
  description: z.string().max(1_000).default(""),
  permissions: z.array(PermissionSchema).max(1_000),
};
const CreateRoleSchema = z.strictObject({ name: RoleNameSchema, ...fields });
/** A role's name is what users hold; it stays. */
const UpdateRoleSchema = z.strictObject({
  ...fields,
  id: z.unknown().optional(),
  name: z.unknown().optional(),
  builtIn: z.unknown().optional(),
  requiresSecondFactor: z.unknown().optional(),
});
const FIELDS = { id: roles.id, name: roles.name, title: roles.title, builtIn: roles.builtIn };

/** Roles: the built-in ones, which stay as they are, and those a tenant makes. */
export function roleRoutes(deps: () => AccessDeps): Route[] {
  const find = async (tenantId: number, id: number) => {
    const [row] = await deps()
      .db.orm.select()
      .from(roles)
      .where(and(eq(roles.id, id), inArray(roles.tenantId, [tenantId, SHARED_TENANT])));
    if (row === undefined) throw notFound("role", id);
    return row;
  };
  const findOwn = async (tenantId: number, id: number) => {
    const row = await find(tenantId, id);
    if (!row.builtIn) return row;
    throw new OvenError("ROLE_BUILT_IN", `The role \`${row.name}\` comes with OVEN and stays as it is`, {
      status: 409,
      fix: "Make a role of your own with the permissions you want.",
    });
  };
  return [
    defineRoute({
      method: "GET",
      path: "permissions",
      operation: false,
      summary: "Every permission that an installed module declares",
      access: { permission: "roles.read" },
      query: ListQuerySchema,
      response: z.array(PermissionInfoSchema),
      handler: async ({ query }) => {
        const all = deps()
          .registry.modules()
          .flatMap(({ name, permissions }) => permissions.map(({ id, title }) => ({ id, title, module: name })));
        const { range } = toListParams(query);
        const page = query.range === undefined ? all : all.slice(range.first, range.last + 1);
        return listReply("permissions", { ...toListParams(query), range }, page, all.length);
      },
    }),
    defineRoute({
      method: "GET",
      path: "roles",
      operation: false,
      summary: "Built-in roles and this tenant's own",
      access: { permission: "roles.read" },
      query: ListQuerySchema,
      response: z.array(RoleSchema),
      handler: async ({ query, principal }) => {
        const params = toListParams(query);
        const { rows, total } = await listRows(deps().db.orm, principal, params, {
          table: roles,
          fields: FIELDS,
          search: [roles.name, roles.title],
          tenant: roles.tenantId,
        });
        const demanding = await demandingRoles(deps().db, principal.tenantId);
        return listReply(
          "roles",
          params,
          rows.map((row) => toRole(row, demanding)),
          total,
        );
      },
    }),
    defineRoute({
      method: "GET",
      path: "roles/[id]",
      operation: false,
      summary: "One role",
      access: { permission: "roles.read" },
      params: IdParams,
      response: RoleSchema,
      handler: async ({ params, principal: { tenantId } }) =>
        ok(toRole(await find(tenantId, params.id), await demandingRoles(deps().db, tenantId))),
    }),
    defineRoute({
      method: "POST",
      path: "roles",
      operation: false,
      summary: "Make a role from permissions you have",
      access: { permission: "roles.create" },
      body: CreateRoleSchema,
      response: RoleSchema,
      handler: async ({ body, principal }) => {
        checkPermissions(deps().registry, body.permissions);
        requireAll(principal, body.permissions, "$.permissions");
        const { db } = deps();
        const [taken] = await db.query("select 1 as one from roles where name = $1 and tenant_id in (0, $2)", [
          body.name,
          principal.tenantId,
        ]);
        if (taken !== undefined) throw nameTaken(body.name);
        const [row] = await db.orm
          .insert(roles)
          .values({ ...body, permissions: unique(body.permissions), tenantId: principal.tenantId })
          .onConflictDoNothing()
          .returning();
        if (row === undefined) throw nameTaken(body.name);
        return created(toRole(row, await demandingRoles(db, principal.tenantId)));
      },
    }),
    defineRoute({
      method: "PUT",
      path: "roles/[id]",
      operation: false,
      summary: "Change a role of this tenant; users who have it may do so at once",
      access: { permission: "roles.update" },
      params: IdParams,
      body: UpdateRoleSchema,
      response: RoleSchema,
      effect: "idempotent",
      handler: async ({ params, body, principal }) => {
        const before = await findOwn(principal.tenantId, params.id);
        checkPermissions(deps().registry, body.permissions);
        requireAll(principal, [...before.permissions, ...body.permissions], "$.permissions");
        const [row] = await deps()
          .db.orm.update(roles)
          .set({
            title: body.title,
            description: body.description,
            permissions: unique(body.permissions),
            updatedAt: new Date(),
          })
          .where(eq(roles.id, before.id))
          .returning();
        if (row === undefined) throw notFound("role", params.id);
        return ok(toRole(row, await demandingRoles(deps().db, principal.tenantId)));
      },
    }),
    defineRoute({
      method: "PUT",
      path: "roles/[id]/second-factor",
      operation: false,
      summary: "Demand a second factor of those who have a role, built-in ones included, or no longer",
      description: "It holds at once, also for sessions that there are. It takes all the permissions of the role.",
      access: { permission: "roles.update" },
      params: IdParams,
      body: z.strictObject({ required: z.boolean() }),
      response: RoleSchema,
      effect: "idempotent",
      handler: async ({ params, body, principal: { tenantId, ...principal } }) => {
        const role = await find(tenantId, params.id);
        requireAll({ tenantId, ...principal }, role.permissions, "$params.id");
        const { db } = deps();
        await db.query(
          `insert into role_settings (tenant_id, role, requires_second_factor) values ($1, $2, $3)
           on conflict (tenant_id, role) do update set requires_second_factor = excluded.requires_second_factor`,
          [tenantId, role.name, body.required],
        );
        return ok(toRole(role, await demandingRoles(db, tenantId)));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "roles/[id]",
      operation: false,
      summary: "Remove a role that no user has",
      access: { permission: "roles.delete" },
      params: IdParams,
      handler: async ({ params, principal }) => {
        const role = await findOwn(principal.tenantId, params.id);
        requireAll(principal, role.permissions, "$params.id");
        const gone = await deps().db.query(
          `delete from roles where id = $1 and not exists (select 1 from user_roles where tenant_id = $2 and role = $3)
             and not exists (select 1 from invitations where tenant_id = $2 and $3 = any(roles)
               and accepted_at is null and revoked_at is null and expires_at > now())
           returning id`,
          [role.id, principal.tenantId, role.name],
        );
        if (gone.length > 0) {
          await deps().db.query("delete from role_settings where tenant_id = $1 and role = $2", [
            principal.tenantId,
            role.name,
          ]);
          return noContent();
        }
        throw new OvenError("ROLE_IN_USE", `Somebody has the role \`${role.name}\`, or was invited with it`, {
          status: 409,
          fix: "Give them other roles first.",
        });
      },
    }),
  ];
}

function toRole(row: typeof roles.$inferSelect, demanding: ReadonlySet<string>): Role {
  const { id, name, title, description, permissions, builtIn } = row;
  return { id, name, title, description, permissions, builtIn, requiresSecondFactor: demanding.has(name) };
}

/** The names of the roles of which a tenant demands a second factor. */
async function demandingRoles(db: Queryable, tenantId: number): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ role: string }>(
    "select role from role_settings where tenant_id = $1 and requires_second_factor",
    [tenantId],
  );
  return new Set(rows.map(({ role }) => role));
}

/** @throws OvenError PERMISSION_UNKNOWN 422 for what no module declares */
function checkPermissions(registry: RegistryView, permissions: readonly string[]): void {
  const declared = registry.permissions().map(({ id }) => id);
  const resources = new Set(declared.map((id) => id.split(".")[0]));
  const unknown = permissions.find(
    (id) => id !== "*" && !declared.includes(id) && !(id.endsWith(".*") && resources.has(id.slice(0, -2))),
  );
  if (unknown === undefined) return;
  throw new OvenError("PERMISSION_UNKNOWN", `No module declares the permission \`${unknown}\``, {
    status: 422,
    path: "$.permissions",
    fix: "GET /api/permissions lists them.",
  });
}

function nameTaken(name: string): OvenError {
  return new OvenError("ROLE_EXISTS", `There is a role \`${name}\` already`, {
    status: 409,
    path: "$.name",
    fix: "Choose another name.",
  });
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}
