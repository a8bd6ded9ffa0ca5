CREATE TABLE "api_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"connection_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"sealed" text NOT NULL,
	"renewing_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_connections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_connections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"name" text NOT NULL,
	"title" text,
	"source_type" text NOT NULL,
	"source_url" text,
	"server_url" text NOT NULL,
	"auth" jsonb NOT NULL,
	"accounts" text NOT NULL,
	"timeout_ms" integer NOT NULL,
	"max_bytes" integer NOT NULL,
	"calls_per_minute" integer NOT NULL,
	"calls_per_day" integer,
	"enabled" boolean DEFAULT true NOT NULL,
	"day" date,
	"day_calls" integer DEFAULT 0 NOT NULL,
	"document" jsonb NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	"last_error" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp with time zone,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_operations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_operations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"connection_id" bigint NOT NULL,
	"name" text NOT NULL,
	"tool_id" text NOT NULL,
	"listed" jsonb NOT NULL,
	"listed_hash" text NOT NULL,
	"problem" text,
	"vanished_at" timestamp with time zone,
	"approved" jsonb,
	"approved_hash" text,
	"approved_by" bigint,
	"approved_at" timestamp with time zone,
	"effect" text NOT NULL,
	"needs_approval" boolean DEFAULT true NOT NULL,
	"approval_when" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_sign_ins" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_sign_ins_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"connection_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"owner_id" bigint NOT NULL,
	"state_hash" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "api_accounts_owner" ON "api_accounts" USING btree ("tenant_id","connection_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_connections_name" ON "api_connections" USING btree ("tenant_id","name");--> statement-breakpoint
CREATE INDEX "api_connections_due" ON "api_connections" USING btree ("next_check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_operations_name" ON "api_operations" USING btree ("tenant_id","connection_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "api_operations_tool" ON "api_operations" USING btree ("tenant_id","tool_id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_sign_ins_state" ON "api_sign_ins" USING btree ("state_hash");