CREATE TABLE "notification_reply_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"tenant_id" integer NOT NULL,
	"user_id" bigint NOT NULL,
	"review_id" bigint NOT NULL,
	"digest" text NOT NULL,
	"title" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_by" text,
	"answer" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_reply_mailboxes" (
	"address" text PRIMARY KEY NOT NULL,
	"next_look_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "notification_reply_codes_age" ON "notification_reply_codes" USING btree ("expires_at");