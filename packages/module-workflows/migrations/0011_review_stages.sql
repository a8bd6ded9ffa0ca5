ALTER TABLE "review_votes" ADD COLUMN "stage" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "stage" integer DEFAULT 0 NOT NULL;