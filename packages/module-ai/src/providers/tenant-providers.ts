import { notFound, OvenError } from "@oven/contract";
import type { CreateModelProvider, ModelProvider, UpdateModelProvider } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import type { OutboundService } from "@oven/module-registry";
import { aiProviders } from "../tables/ai-providers.table.ts";
import { findProvider } from "./all-providers.ts";
import { openProvider, type ProviderDefinition } from "./define-provider.ts";
import type { Provider } from "./model-provider.ts";
import { needsAddress } from "./provider-kinds.ts";
import { rememberList } from "./remember-list.ts";
import { createTenantFetch, standInFor } from "./tenant-fetch.ts";

export type ProviderRow = typeof aiProviders.$inferSelect;

const MAX_OPENED = 500;

/** They name what is in every installation. */
const TAKEN = new Set(["simulated", "local", "auto"]);

/** Providers that tenants have set up. Each is seen and used by its own tenant only. */
export class TenantProviders {
  readonly #db: Database;
  readonly #outbound: OutboundService;
  /** Of rows as they are now: a row that changes is opened anew. Oldest dropped first. */
  readonly #opened = new Map<string, Provider>();

  constructor(db: Database, outbound: OutboundService) {
    this.#db = db;
    this.#outbound = outbound;
  }

  list(tenantId: number): Promise<ProviderRow[]> {
    return this.#db.orm.select().from(aiProviders).where(eq(aiProviders.tenantId, tenantId)).orderBy(aiProviders.id);
  }

  async find(tenantId: number, slug: string): Promise<ProviderRow | undefined> {
    const [row] = await this.#db.orm.select().from(aiProviders).where(ofTenant(tenantId, slug));
    return row;
  }

  /** @throws OvenError PROVIDER_ID_TAKEN, UNIQUE_VIOLATION 409 */
  async create(tenantId: number, body: CreateModelProvider): Promise<ProviderRow> {
    const { id, kind, title, baseUrl, secret, headers, enabled } = body;
    if (TAKEN.has(id))
      throw new OvenError("PROVIDER_ID_TAKEN", `The id ${id} is of a provider that every installation has`, {
        status: 409,
        path: "$body.id",
        fix: "Choose another id",
      });
    const values = {
      tenantId,
      slug: id,
      kind,
      title: title ?? findProvider(kind)?.title ?? kind,
      baseUrl: baseUrl ?? null,
      secret: secret ?? null,
      ...(headers === undefined ? {} : { headers }),
      ...(enabled === undefined ? {} : { enabled }),
    };
    const [row] = await this.#db.orm.insert(aiProviders).values(values).returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return row;
  }

  /** @throws OvenError NOT_FOUND also for a provider of the environment, INVALID_REQUEST */
  async update(tenantId: number, slug: string, body: UpdateModelProvider): Promise<ProviderRow> {
    const current = await this.find(tenantId, slug);
    if (current === undefined) throw notFound("provider", slug);
    if (body.baseUrl === null && needsAddress(current.kind))
      throw new OvenError("INVALID_REQUEST", "A server of this kind has an address of its own", {
        status: 422,
        path: "$body.baseUrl",
        fix: "Give its address",
      });
    const { title, baseUrl, secret, headers, enabled } = body;
    const change = { title, baseUrl, secret, headers, enabled };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const [row] = await this.#db.orm
      .update(aiProviders)
      .set({ ...given, updatedAt: sql`now()` })
      .where(ofTenant(tenantId, slug))
      .returning();
    if (row === undefined) throw notFound("provider", slug);
    return row;
  }

  /** @throws OvenError NOT_FOUND also for a provider of the environment */
  async delete(tenantId: number, slug: string): Promise<void> {
    const [row] = await this.#db.orm
      .delete(aiProviders)
      .where(ofTenant(tenantId, slug))
      .returning({ id: aiProviders.id });
    if (row === undefined) throw notFound("provider", slug);
  }

  /** @returns undefined for a kind that is not installed any more */
  open(row: ProviderRow): Provider | undefined {
    const definition = findProvider(row.kind);
    if (definition === undefined) return undefined;
    const version = `${row.id}/${row.updatedAt.getTime()}`;
    const opened = this.#opened.get(version) ?? this.#open(row, definition);
    if (this.#opened.size >= MAX_OPENED) this.#opened.delete(this.#opened.keys().next().value ?? "");
    this.#opened.set(version, opened);
    return opened;
  }

  #open(row: ProviderRow, definition: ProviderDefinition): Provider {
    const { tenantId, slug, kind, title, baseUrl, secret, headers, enabled } = row;
    const api = openProvider(definition, {
      id: slug,
      apiKey: secret === null ? undefined : standInFor({ $secret: secret }),
      baseUrl: baseUrl ?? undefined,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : standInFor(value)]),
      ),
      fetch: createTenantFetch(tenantId, this.#outbound),
    });
    return {
      ...api,
      id: slug,
      title,
      kind,
      configured: enabled,
      simulated: false,
      ...(definition.baseUrl === null ? {} : { vendor: kind }),
      probe: api.listModels,
      listModels: rememberList(api.listModels),
      keyHint: secret === null ? `Give the provider ${slug} a key` : `Check the value of the secret ${secret}`,
    };
  }
}

export function toModelProvider(row: ProviderRow): ModelProvider {
  const { slug, title, kind, baseUrl, secret, headers, enabled } = row;
  return {
    id: slug,
    title,
    kind,
    configured: enabled && findProvider(kind) !== undefined,
    simulated: false,
    source: "tenant",
    enabled,
    baseUrl,
    secret,
    headers,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function ofTenant(tenantId: number, slug: string) {
  return and(eq(aiProviders.tenantId, tenantId), eq(aiProviders.slug, slug));
}
