DROP INDEX "triggers_token";--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "token_hash" text;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "token_sealed" text;--> statement-breakpoint
-- Addresses that were given away go on working.
UPDATE "triggers" SET "token_hash" = encode(sha256(convert_to("token", 'UTF8')), 'hex') WHERE "token" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "triggers_token_hash" ON "triggers" USING btree ("token_hash");--> statement-breakpoint
ALTER TABLE "triggers" DROP COLUMN "token";