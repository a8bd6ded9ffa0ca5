DROP INDEX "trigger_deliveries_open";--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "is_batch" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "shaped_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "queue_position" bigint;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "dedupe_key" text;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "rate_key" text;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "rate_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "hold_kind" text;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "held_key" text;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "held_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "held_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "held_bytes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "group_id" bigint;--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD COLUMN "merged_into" bigint;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "shaping" jsonb;--> statement-breakpoint
CREATE INDEX "trigger_deliveries_held" ON "trigger_deliveries" USING btree ("trigger_id","hold_kind","held_key","id") WHERE decision = 'held';--> statement-breakpoint
CREATE INDEX "trigger_deliveries_dedupe" ON "trigger_deliveries" USING btree ("trigger_id","dedupe_key","received_at") WHERE dedupe_key is not null;--> statement-breakpoint
CREATE INDEX "trigger_deliveries_rate" ON "trigger_deliveries" USING btree ("trigger_id","rate_key","rate_at") WHERE rate_key is not null;--> statement-breakpoint
CREATE INDEX "trigger_deliveries_group" ON "trigger_deliveries" USING btree ("group_id") WHERE group_id is not null;--> statement-breakpoint
CREATE INDEX "trigger_deliveries_merged" ON "trigger_deliveries" USING btree ("merged_into") WHERE merged_into is not null;--> statement-breakpoint
CREATE INDEX "trigger_deliveries_open" ON "trigger_deliveries" USING btree ("next_attempt_at") WHERE decision in ('received', 'queued', 'held');