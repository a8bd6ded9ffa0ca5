import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { OvenError } from "@oven/contract";
import type { EmbedSession, EmbedVisitor } from "@oven/contract/embed";
import { type Database, withinTenant } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { isAllowedOrigin } from "../embeds/allowed-origin.ts";
import { type EmbedRow, toEmbed } from "../embeds/embed-row.ts";
import { embedVisitors } from "../tables/embed-visitors.table.ts";
import { embeds } from "../tables/embeds.table.ts";
import type { SessionTokens } from "./session-token.ts";

/** Who sends a request, as far as an embed knows visitors. */
export interface Visit {
  embed: EmbedRow;
  visitorId: string;
  origin: string;
}

/** Browsers on pages that show an embed. They are no users: each has its conversations here, and nothing else. */
export class VisitorService {
  readonly #db: Database;
  readonly #tokens: SessionTokens;
  readonly #now: () => number;

  constructor(deps: { db: Database; tokens: SessionTokens; now?: () => number }) {
    this.#db = deps.db;
    this.#tokens = deps.tokens;
    this.#now = deps.now ?? Date.now;
  }

  /** The origin of a request, where it may show the embed; undefined also for an embed that is not there. */
  async admittedOrigin(publicId: string, request: Request): Promise<string | undefined> {
    const origin = request.headers.get("origin");
    if (origin === null) return undefined;
    const row = await this.#find(publicId);
    return row !== undefined && isAllowedOrigin(row.settings.origins, origin) ? origin : undefined;
  }

  /** @throws OvenError NOT_FOUND, EMBED_ORIGIN_REFUSED 403, EMBED_CLOSED 409 */
  async enter(publicId: string, request: Request): Promise<{ embed: EmbedRow; origin: string }> {
    const row = await this.#find(publicId);
    if (row === undefined) throw new OvenError("NOT_FOUND", "There is no embed with this id", { status: 404 });
    const origin = request.headers.get("origin");
    if (origin === null || !isAllowedOrigin(row.settings.origins, origin))
      throw new OvenError("EMBED_ORIGIN_REFUSED", `This embed is not shown on ${origin ?? "pages without an origin"}`, {
        status: 403,
        fix: "Add the page's origin to the allowed origins of the embed.",
      });
    if (!row.enabled) throw closed();
    return { embed: row, origin };
  }

  /**
   * A token for the visitor that shows its secret, else for a new one.
   * @throws OvenError as `enter`
   */
  async begin({ embed, origin }: Omit<Visit, "visitorId">, known: EmbedVisitor | undefined): Promise<EmbedSession> {
    const earlier = known === undefined ? undefined : await this.#recognize(embed, origin, known);
    const visitor = earlier ?? (await this.#insert(embed, origin));
    const claims = { embed: embed.publicId, visitor: visitor.id, origin, epoch: embed.epoch };
    const { token, expiresAt } = this.#tokens.sign(claims, this.#now());
    return { token, expiresAt: expiresAt.toISOString(), visitor };
  }

  /**
   * Who sends a request with a token: it counts for its embed, on its origin, as long as the embed is on.
   * @throws OvenError as `enter`, EMBED_SESSION_INVALID 401
   */
  async of(publicId: string, request: Request): Promise<Visit> {
    const { embed, origin } = await this.enter(publicId, request);
    const [, token = ""] = /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
    const claims = this.#tokens.read(token, this.#now());
    const isValid =
      claims !== undefined &&
      claims.embed === embed.publicId &&
      claims.origin === origin &&
      claims.epoch === embed.epoch;
    if (isValid) return { embed, origin, visitorId: claims.visitor };
    throw new OvenError("EMBED_SESSION_INVALID", "This session has ended", {
      status: 401,
      fix: "Begin a session with the visitor's secret.",
    });
  }

  /** Whether what was begun with a token may go on. */
  async isOpen({ embed: { publicId, epoch }, origin }: Visit): Promise<boolean> {
    const row = await this.#find(publicId);
    return row?.enabled === true && row.epoch === epoch && isAllowedOrigin(row.settings.origins, origin);
  }

  async #find(publicId: string): Promise<EmbedRow | undefined> {
    // Who asks belongs to no tenant.
    const [row] = await this.#db.system.orm.select().from(embeds).where(eq(embeds.publicId, publicId));
    return row && { ...row, settings: toEmbed(row) };
  }

  async #recognize({ id, tenantId }: EmbedRow, origin: string, known: EmbedVisitor) {
    return withinTenant(tenantId, async () => {
      const own = and(eq(embedVisitors.id, known.id), eq(embedVisitors.embedId, id), eq(embedVisitors.origin, origin));
      const [row] = await this.#db.orm.select().from(embedVisitors).where(own);
      if (row === undefined || !isSame(row.secretHash, hashOf(known.secret))) return undefined;
      await this.#db.orm.update(embedVisitors).set({ seenAt: sql`now()` }).where(eq(embedVisitors.id, row.id));
      return { id: row.id, secret: null };
    });
  }

  async #insert({ id: embedId, tenantId }: EmbedRow, origin: string) {
    const visitor = { id: randomUUID(), secret: randomBytes(32).toString("base64url") };
    await withinTenant(tenantId, () =>
      this.#db.orm
        .insert(embedVisitors)
        .values({ id: visitor.id, tenantId, embedId, origin, secretHash: hashOf(visitor.secret) }),
    );
    return visitor;
  }
}

export function closed(): OvenError {
  return new OvenError("EMBED_CLOSED", "This is closed at the moment", {
    status: 409,
    fix: "Enable the embed, and let someone save it who may run what it shows.",
  });
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
