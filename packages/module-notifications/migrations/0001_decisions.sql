CREATE TABLE "notification_account_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"tenant_id" integer NOT NULL,
	"provider" text NOT NULL,
	"workspace" text NOT NULL,
	"account" text NOT NULL,
	"name" text NOT NULL,
	"proof" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_linked_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_linked_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"user_id" bigint NOT NULL,
	"provider" text NOT NULL,
	"workspace" text NOT NULL,
	"account" text NOT NULL,
	"name" text NOT NULL,
	"proof" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_review_posts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_review_posts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"rule_id" bigint NOT NULL,
	"review_id" bigint NOT NULL,
	"channel" jsonb NOT NULL,
	"place" jsonb NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"shown" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"reason" text,
	"done_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "notification_rules" ADD COLUMN "decisions_key" text;--> statement-breakpoint
CREATE INDEX "notification_account_links_age" ON "notification_account_links" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "notification_linked_accounts_once" ON "notification_linked_accounts" USING btree ("tenant_id","provider","workspace","account","proof");--> statement-breakpoint
CREATE INDEX "notification_linked_accounts_user" ON "notification_linked_accounts" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "notification_review_posts_open" ON "notification_review_posts" USING btree ("next_attempt_at") WHERE done_at is null;--> statement-breakpoint
CREATE INDEX "notification_review_posts_review" ON "notification_review_posts" USING btree ("review_id","rule_id");--> statement-breakpoint
CREATE INDEX "notification_review_posts_age" ON "notification_review_posts" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "notification_rules_decisions" ON "notification_rules" USING btree ("decisions_key");