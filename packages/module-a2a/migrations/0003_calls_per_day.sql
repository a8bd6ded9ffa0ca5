ALTER TABLE "a2a_connections" ADD COLUMN "calls_per_day" integer;--> statement-breakpoint
ALTER TABLE "a2a_connections" ADD COLUMN "day" date;--> statement-breakpoint
ALTER TABLE "a2a_connections" ADD COLUMN "day_calls" integer DEFAULT 0 NOT NULL;