CREATE TABLE "mcp_connection_tools" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mcp_connection_tools_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"connection_id" bigint NOT NULL,
	"name" text NOT NULL,
	"tool_id" text NOT NULL,
	"listed" jsonb NOT NULL,
	"listed_hash" text NOT NULL,
	"problem" text,
	"last_seen_at" timestamp with time zone NOT NULL,
	"vanished_at" timestamp with time zone,
	"approved" jsonb,
	"approved_hash" text,
	"approved_by" bigint,
	"approved_at" timestamp with time zone,
	"effect" text DEFAULT 'at-most-once' NOT NULL,
	"needs_approval" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mcp_connections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mcp_connections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"name" text NOT NULL,
	"title" text,
	"transport" text DEFAULT 'http' NOT NULL,
	"url" text,
	"auth" jsonb NOT NULL,
	"timeout_ms" integer NOT NULL,
	"max_bytes" integer NOT NULL,
	"calls_per_minute" integer NOT NULL,
	"calls_per_day" integer,
	"enabled" boolean DEFAULT true NOT NULL,
	"day" date,
	"day_calls" integer DEFAULT 0 NOT NULL,
	"prior" jsonb,
	"protocol_version" text,
	"server_name" text,
	"instructions" text,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"last_contact_at" timestamp with time zone,
	"latency_ms" integer,
	"last_error" text,
	"last_error_code" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"listed_at" timestamp with time zone,
	"next_check_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mcp_credentials" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mcp_credentials_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"connection_id" bigint NOT NULL,
	"sealed" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mcp_open_questions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mcp_open_questions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"connection_id" bigint NOT NULL,
	"execution_id" bigint NOT NULL,
	"node_id" text NOT NULL,
	"visit" integer NOT NULL,
	"item" text NOT NULL,
	"state" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "mcp_connection_tools_name" ON "mcp_connection_tools" USING btree ("tenant_id","connection_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "mcp_connections_name" ON "mcp_connections" USING btree ("tenant_id","name");--> statement-breakpoint
CREATE INDEX "mcp_connections_due" ON "mcp_connections" USING btree ("next_check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mcp_credentials_connection" ON "mcp_credentials" USING btree ("tenant_id","connection_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mcp_open_questions_position" ON "mcp_open_questions" USING btree ("execution_id","node_id","visit","item");--> statement-breakpoint
CREATE INDEX "mcp_open_questions_age" ON "mcp_open_questions" USING btree ("created_at");