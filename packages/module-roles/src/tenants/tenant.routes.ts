import { notFound, type Principal } from "@oven/contract";
import {
  CreatedTenantSchema,
  ErasedTenantSchema,
  EraseTenantSchema,
  type Tenant,
  TenantSchema,
} from "@oven/contract/access";
import { and, eq } from "@oven/db/drizzle";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  listRows,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { AccessDeps } from "../access/access-deps.ts";
import { toDownload } from "../persons/stream-rows.ts";
import { tenants } from "../schema.ts";
import { TenantEraser } from "./tenant-eraser.ts";
import { TenantService } from "./tenant-service.ts";

const IdParams = z.object({ id: z.coerce.number().int().positive() });
const NameSchema = z.string().trim().min(1).max(200);
const CreateTenantSchema = z.strictObject({
  name: NameSchema,
  /** Who gets the invitation as its first owner. */
  ownerEmail: z.email().max(320).toLowerCase(),
});
/** What else a row holds may be sent back and is ignored. */
const UpdateTenantSchema = z.strictObject({
  name: NameSchema.optional(),
  disabled: z.boolean().optional(),
  id: z.unknown().optional(),
  createdAt: z.unknown().optional(),
});
const FIELDS = { id: tenants.id, name: tenants.name, createdAt: tenants.createdAt };

/** The installation's tenants, for users of the first one. */
export function tenantRoutes(deps: () => AccessDeps): Route[] {
  const service = () => new TenantService(deps().db.system);
  const one = async ({ tenantId }: Principal, id: number): Promise<Tenant> => {
    const mine = and(eq(tenants.id, id), eq(tenants.tenantId, tenantId));
    const [row] = await deps().db.orm.select().from(tenants).where(mine);
    if (row === undefined) throw notFound("tenant", id);
    return toTenant(row);
  };
  return [
    defineRoute({
      method: "GET",
      path: "tenants",
      operation: false,
      summary: "The tenants of this installation; empty for users of any but the first",
      access: { permission: "tenants.read" },
      query: ListQuerySchema,
      response: z.array(TenantSchema),
      handler: async ({ query, principal }) => {
        const params = toListParams(query);
        const { rows, total } = await listRows(deps().db.orm, principal, params, {
          table: tenants,
          fields: FIELDS,
          search: [tenants.name],
          tenant: tenants.tenantId,
        });
        return listReply("tenants", params, rows.map(toTenant), total);
      },
    }),
    defineRoute({
      method: "GET",
      path: "tenants/[id]",
      operation: false,
      summary: "One tenant",
      access: { permission: "tenants.read" },
      params: IdParams,
      response: TenantSchema,
      handler: async ({ params, principal }) => ok(await one(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: "tenants",
      operation: false,
      summary: "Make a tenant; its first owner's link is in this answer and never shown again",
      access: { permission: "tenants.create" },
      body: CreateTenantSchema,
      response: CreatedTenantSchema,
      handler: async ({ body, principal }) => {
        const { id, token } = await service().create(principal, body.name, body.ownerEmail);
        const link = `${deps().environment.publicUrl}/invitation?token=${token}`;
        return created({ ...(await one(principal, id)), link });
      },
    }),
    defineRoute({
      method: "PUT",
      path: "tenants/[id]",
      operation: false,
      summary: "Rename, disable or enable a tenant",
      access: { permission: "tenants.update" },
      params: IdParams,
      body: UpdateTenantSchema,
      response: TenantSchema,
      handler: async ({ params, body, principal }) => {
        const { name, disabled } = body;
        const change = { ...(name === undefined ? {} : { name }), ...(disabled === undefined ? {} : { disabled }) };
        await service().update(principal, params.id, change);
        return ok(await one(principal, params.id));
      },
    }),
    defineRoute({
      method: "GET",
      path: "tenants/[id]/export",
      operation: false,
      summary:
        "Every row of a tenant as JSON, without secrets; for users of the first tenant; the export itself is written down",
      access: { permission: "tenant-data.export" },
      params: IdParams,
      effect: "at-least-once",
      handler: async ({ params, principal }) => {
        const pieces = await new TenantEraser(deps().db.system).export(principal, params.id);
        return toDownload(pieces, `tenant-${params.id}.json`);
      },
    }),
    defineRoute({
      method: "POST",
      path: "tenants/[id]/erase",
      operation: false,
      summary:
        "Erase a tenant with its people, workflows and runs: `confirm` repeats its name; for users of the first tenant",
      access: { permission: "tenant-data.erase" },
      params: IdParams,
      body: EraseTenantSchema,
      response: ErasedTenantSchema,
      handler: async ({ params, body, principal }) =>
        ok(await new TenantEraser(deps().db.system).erase(principal, params.id, body.confirm)),
    }),
  ];
}

function toTenant(row: typeof tenants.$inferSelect): Tenant {
  return { id: row.id, name: row.name, disabled: row.disabledAt !== null, createdAt: row.createdAt.toISOString() };
}
