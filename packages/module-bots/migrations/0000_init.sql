CREATE TABLE "bot_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bot_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"bot_id" bigint NOT NULL,
	"message_key" text NOT NULL,
	"thread" text NOT NULL,
	"place" jsonb NOT NULL,
	"workspace" text NOT NULL,
	"account" text NOT NULL,
	"proof" text NOT NULL,
	"account_name" text NOT NULL,
	"text" text NOT NULL,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"given" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"user_id" bigint,
	"status" text DEFAULT 'received' NOT NULL,
	"execution_kind" text,
	"execution_id" bigint,
	"answer" text,
	"marker" text NOT NULL,
	"posting" text,
	"posted" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"reviews" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"reason" text,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bot_threads" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bot_threads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"bot_id" bigint NOT NULL,
	"thread" text NOT NULL,
	"agent_id" bigint NOT NULL,
	"session_id" bigint NOT NULL,
	"identity" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bots" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bots_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean NOT NULL,
	"connection" jsonb NOT NULL,
	"target" jsonb NOT NULL,
	"guests" jsonb,
	"listens" jsonb NOT NULL,
	"per_hour" integer NOT NULL,
	"key" text NOT NULL,
	"saved_by" bigint,
	"workspace" text,
	"last_error" text,
	"last_message_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "bot_messages_key" ON "bot_messages" USING btree ("bot_id","message_key");--> statement-breakpoint
CREATE INDEX "bot_messages_thread" ON "bot_messages" USING btree ("bot_id","thread","id");--> statement-breakpoint
CREATE INDEX "bot_messages_account" ON "bot_messages" USING btree ("bot_id","account","created_at");--> statement-breakpoint
CREATE INDEX "bot_messages_due" ON "bot_messages" USING btree ("next_attempt_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "bot_messages_age" ON "bot_messages" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bot_threads_thread" ON "bot_threads" USING btree ("bot_id","thread");--> statement-breakpoint
CREATE INDEX "bots_tenant" ON "bots" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "bots_key" ON "bots" USING btree ("key");