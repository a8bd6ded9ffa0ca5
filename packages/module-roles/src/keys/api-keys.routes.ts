import { type ApiKey, ApiKeySchema, CreatedApiKeySchema, isGranted, notFound, OvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  listRows,
  noContent,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { Auth } from "../access/auth.ts";
import { apiKeys } from "../schema.ts";
import { fromKeyPermissions, MAX_KEY_DAYS, toKeyPermissions } from "./key-format.ts";

const CreateKeySchema = z.strictObject({
  name: z.string().trim().min(1).max(32),
  permissions: z
    .array(z.string().regex(/^(\*|[a-z][a-z0-9-]*\.(\*|[a-z][a-z0-9-]*))$/, "resource.action, resource.* or *"))
    .min(1),
  /** Days until it stops working; null never. */
  expiresInDays: z.int().min(1).max(MAX_KEY_DAYS).nullable().default(90),
});

const IdParams = z.object({ id: z.coerce.number().int().positive() });
const FIELDS = {
  id: apiKeys.id,
  name: apiKeys.name,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastRequest,
};

export function apiKeyRoutes(deps: () => { db: Database; auth: Auth }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "api-keys",
      operation: false,
      summary: "API keys; never their values",
      access: { permission: "api-keys.read" },
      query: ListQuerySchema,
      response: z.array(ApiKeySchema),
      handler: async ({ query, principal }) => {
        const params = toListParams(query);
        const { rows, total } = await listRows(deps().db.orm, principal, params, {
          table: apiKeys,
          fields: FIELDS,
          search: [apiKeys.name],
          tenant: apiKeys.tenantId,
        });
        return listReply("api-keys", params, rows.map(toApiKey), total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "api-keys",
      operation: false,
      summary: "Make an API key; its value is in this answer and never shown again",
      access: { permission: "api-keys.create" },
      body: CreateKeySchema,
      response: CreatedApiKeySchema,
      handler: async ({ body, principal }) => {
        const beyond = body.permissions.find((permission) => !isGranted(principal.permissions, permission));
        if (beyond !== undefined) {
          throw new OvenError("FORBIDDEN", `You cannot give a key ${beyond}, which you do not have`, {
            status: 403,
            path: "$.permissions",
          });
        }
        const { db, auth } = deps();
        const key = await auth.api.createApiKey({
          body: {
            name: body.name,
            userId: String(principal.userId),
            permissions: toKeyPermissions(body.permissions),
            ...(body.expiresInDays === null ? {} : { expiresIn: body.expiresInDays * 86_400 }),
          },
        });
        const [row] = await db.query<Record<string, unknown>>(
          `update api_keys set tenant_id = $1 where id = $2
           returning id, name, start, permissions, expires_at as "expiresAt", last_request as "lastRequest", created_at as "createdAt"`,
          [principal.tenantId, Number(key.id)],
        );
        return created({ ...toApiKey(row as unknown as ApiKeyRow), key: key.key }); // cast: columns listed above
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "api-keys/[id]",
      operation: false,
      summary: "Revoke an API key; it stops working within a second",
      access: { permission: "api-keys.delete" },
      params: IdParams,
      handler: async ({ params, principal }) => {
        const gone = await deps().db.query("delete from api_keys where id = $1 and tenant_id = $2 returning id", [
          params.id,
          principal.tenantId,
        ]);
        if (gone.length === 0) throw notFound("API key", params.id);
        return noContent();
      },
    }),
  ];
}

interface ApiKeyRow {
  id: number;
  name: string | null;
  start: string | null;
  permissions: string | null;
  expiresAt: Date | null;
  lastRequest: Date | null;
  createdAt: Date;
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    start: row.start,
    permissions: fromKeyPermissions(row.permissions),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastRequest?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
