import { OvenError, type Principal } from "@oven/contract";
import { type NotificationPreferences, NotificationPreferencesSchema } from "@oven/contract/system";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { notificationPreferences } from "../schema.ts";

/** The caller's own wishes; a key has its owner's. */
export class PreferenceService {
  readonly #db: Database;

  constructor({ db }: { db: Database }) {
    this.#db = db;
  }

  async get({ userId, tenantId }: Principal): Promise<NotificationPreferences> {
    const { userId: user, tenantId: tenant } = notificationPreferences;
    const [row] =
      userId === null
        ? []
        : await this.#db.orm
            .select()
            .from(notificationPreferences)
            .where(and(eq(user, userId), eq(tenant, tenantId)));
    return row?.preferences ?? NotificationPreferencesSchema.parse({});
  }

  /** @throws OvenError FORBIDDEN for credentials that are nobody's */
  async update(
    { userId, tenantId }: Principal,
    preferences: NotificationPreferences,
  ): Promise<NotificationPreferences> {
    if (userId === null) {
      throw new OvenError("FORBIDDEN", "These credentials are nobody's, so there are no wishes to keep", {
        status: 403,
      });
    }
    await this.#db.orm
      .insert(notificationPreferences)
      .values({ userId, tenantId, preferences })
      .onConflictDoUpdate({
        target: notificationPreferences.userId,
        set: { preferences, tenantId, updatedAt: sql`now()` },
      });
    return preferences;
  }
}
