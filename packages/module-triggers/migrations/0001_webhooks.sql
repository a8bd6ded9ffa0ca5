ALTER TABLE "trigger_deliveries" ADD COLUMN "body_hash" text;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "token" text;--> statement-breakpoint
CREATE UNIQUE INDEX "triggers_token" ON "triggers" USING btree ("token");