CREATE TABLE "review_releases" (
	"review_id" bigint PRIMARY KEY NOT NULL,
	"tenant_id" integer NOT NULL,
	"execution_id" bigint NOT NULL,
	"node_id" text NOT NULL,
	"visit" integer NOT NULL,
	"item" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "review_releases" ADD CONSTRAINT "review_releases_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;