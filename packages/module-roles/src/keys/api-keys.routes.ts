import { IdOrSlugSchema, notFound, OvenError, type Principal } from "@oven/contract";
import {
  type ApiKey,
  ApiKeySchema,
  CreatedApiKeySchema,
  PermissionSchema,
  WorkflowScopeSchema,
} from "@oven/contract/access";
import type { Database } from "@oven/db";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  listRows,
  noContent,
  type Route,
  type ServiceMap,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { Auth } from "../access/auth.ts";
import { requireAll } from "../access/grants.ts";
import { apiKeys } from "../schema.ts";
import { fromKeyPermissions, MAX_KEY_DAYS, toKeyPermissions } from "./key-format.ts";

const CreateKeySchema = z.strictObject({
  name: z.string().trim().min(1).max(32),
  permissions: z.array(PermissionSchema).min(1).max(200),
  /** The only workflows it may use; null all. */
  workflows: z.array(WorkflowScopeSchema).min(1).max(100).nullable().default(null),
  /** The only agents it may use, by id or slug. With either list, what the other leaves out is closed. */
  agents: z
    .array(z.union([z.int().positive(), IdOrSlugSchema]))
    .min(1)
    .max(100)
    .nullable()
    .default(null),
  /** Days until it stops working; null never. */
  expiresInDays: z.int().min(1).max(MAX_KEY_DAYS).nullable().default(90),
});

/** Of one user, expired ones not counted. */
const MAX_LIVE_KEYS = 100;
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
      handler: async ({ body, principal, services }) => {
        requireGivable(principal, body.permissions);
        const bounds = await toBounds(principal, body, services);
        const { db, auth } = deps();
        await requireRoom(db, principal);
        const key = await auth.api.createApiKey({
          body: {
            name: body.name,
            userId: String(principal.userId),
            permissions: toKeyPermissions(body.permissions),
            ...(body.expiresInDays === null ? {} : { expiresIn: body.expiresInDays * 86_400 }),
          },
        });
        // The library wrote the row without a tenant; nobody has the key yet.
        const [row] = await db.system.query<Record<string, unknown>>(
          `update api_keys set tenant_id = $1, workflows = $3, agents = $4 where id = $2
           returning id, name, start, permissions, workflows, agents, reference_id as "referenceId", expires_at as "expiresAt",
             last_request as "lastRequest", created_at as "createdAt"`,
          [principal.tenantId, Number(key.id), bounds?.workflows ?? null, bounds?.agents ?? null],
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

/**
 * A person may give a key `*`: it means all that they may do themselves, now and later. A key hands on no more than it holds.
 * @throws OvenError FORBIDDEN
 */
function requireGivable(principal: Principal, permissions: readonly string[]): void {
  const own = principal.kind === "user" ? permissions.filter((permission) => permission !== "*") : permissions;
  requireAll(principal, own, "$.permissions");
}

/** @throws OvenError TOO_MANY_KEYS 409 */
async function requireRoom(db: Database, { userId }: Principal): Promise<void> {
  const [row] = await db.query<{ live: number }>(
    `select count(*)::int as live from api_keys
     where reference_id = $1::text and enabled and (expires_at is null or expires_at > now())`,
    [userId],
  );
  if ((row?.live ?? 0) < MAX_LIVE_KEYS) return;
  throw new OvenError("TOO_MANY_KEYS", `You have ${MAX_LIVE_KEYS} API keys that work already`, {
    status: 409,
    fix: "Revoke one that is no longer used.",
  });
}

/** @throws OvenError REFERENCE_MISSING 422 */
async function toBounds(
  principal: Principal,
  { workflows, agents }: z.output<typeof CreateKeySchema>,
  { findAgents }: Pick<ServiceMap, "findAgents">,
): Promise<{ workflows: string[]; agents: number[] } | undefined> {
  if (workflows === null && agents === null) return undefined;
  if (agents !== null && findAgents === undefined)
    throw new OvenError("REFERENCE_MISSING", "There are no agents: the module that brings them is not installed", {
      status: 422,
      path: "$.agents",
    });
  return { workflows: workflows ?? [], agents: (await findAgents?.(principal, agents ?? [])) ?? [] };
}

interface ApiKeyRow {
  id: number;
  name: string | null;
  start: string | null;
  permissions: string | null;
  workflows: string[] | null;
  agents: (number | string)[] | null;
  referenceId: string;
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
    workflows: row.workflows,
    agents: row.agents?.map(Number) ?? null,
    userId: Number(row.referenceId),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastRequest?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
