import { createdAtColumn, tenantColumn } from "@oven/db";
import { bigint, pgTable } from "@oven/db/pg-core";

/** The reviews of which it was said that their deadline is near; once each. */
export const reviewDeadlines = pgTable("notification_review_deadlines", {
  reviewId: bigint("review_id", { mode: "number" }).primaryKey(),
  tenantId: tenantColumn(),
  createdAt: createdAtColumn(),
});
