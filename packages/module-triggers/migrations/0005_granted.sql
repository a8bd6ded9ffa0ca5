ALTER TABLE "triggers" ADD COLUMN "runs_with_key" bigint;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "granted" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- Which key saved a trigger was not written down before, so those of before run with what their owner may.
UPDATE "triggers" SET "granted" = '{*}';
