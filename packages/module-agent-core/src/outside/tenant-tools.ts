import type { ToolInfo } from "@oven/contract/ai";
import type { Database } from "@oven/db";

interface Deps {
  db: Database;
  /** The rows that the tools are made of: SQL behind `from`, and all columns that decide what `read` answers. */
  marked: { from: string; columns: readonly string[] };
  /** The tools of all tenants. */
  read(): Promise<readonly { tenantId: number; tool: ToolInfo }[]>;
  /** Called after the tools have become others. */
  changed(): void;
}

/**
 * The tools of a source that bindings may name, per tenant, in memory and in order of id. What has changed at the other side since it was
 * approved stays here with the words that were approved, and is refused when it is called.
 */
export class TenantTools {
  readonly #deps: Deps;
  #tools: ReadonlyMap<number, readonly ToolInfo[]> = new Map();
  #mark: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(tenantId: number): readonly ToolInfo[] {
    return this.#tools.get(tenantId) ?? [];
  }

  /** Reads anew if something has changed, here or in another process. */
  async refresh(): Promise<void> {
    const mark = await this.#readMark();
    if (mark === this.#mark) return;
    const byTenant = Map.groupBy(await this.#deps.read(), ({ tenantId }) => tenantId);
    this.#tools = new Map(
      [...byTenant].map(([tenantId, own]) => [
        tenantId,
        own.map(({ tool }) => tool).sort((one, other) => (one.id < other.id ? -1 : 1)),
      ]),
    );
    this.#mark = mark;
    this.#deps.changed();
  }

  async #readMark(): Promise<string | undefined> {
    const { db, marked } = this.#deps;
    const [row] = await db.system.query<{ mark: string }>(
      `select count(*)::text || ':' || coalesce(sum(hashtextextended(row(${marked.columns.join(", ")})::text, 0)::numeric), 0)::text as mark
       from ${marked.from}`,
    );
    return row?.mark;
  }
}
