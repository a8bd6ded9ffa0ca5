CREATE TABLE "a2a_calls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "a2a_calls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"connection_id" bigint NOT NULL,
	"execution_id" bigint NOT NULL,
	"node_id" text NOT NULL,
	"visit" integer NOT NULL,
	"item" text NOT NULL,
	"arguments" json NOT NULL,
	"outgoing" json,
	"task_id" text,
	"context_id" text,
	"taken" bigint[] NOT NULL,
	"asked" text,
	"misses" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "a2a_connections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "a2a_connections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"name" text NOT NULL,
	"title" text,
	"url" text NOT NULL,
	"auth" jsonb NOT NULL,
	"timeout_ms" integer NOT NULL,
	"max_total_ms" bigint NOT NULL,
	"calls_per_minute" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"card" jsonb,
	"listed_hash" text,
	"card_read_at" timestamp with time zone,
	"approved_card" jsonb,
	"approved_hash" text,
	"approved_by" bigint,
	"approved_at" timestamp with time zone,
	"needs_approval" boolean DEFAULT true NOT NULL,
	"approval_when" text,
	"last_error" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "a2a_pushes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "a2a_pushes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"task_row_id" bigint NOT NULL,
	"config_id" text NOT NULL,
	"url" text NOT NULL,
	"sealed" text NOT NULL,
	"version" text NOT NULL,
	"user_id" bigint,
	"source" jsonb NOT NULL,
	"pushed" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_look_at" timestamp with time zone DEFAULT now(),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "a2a_tasks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "a2a_tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"task_id" text NOT NULL,
	"context_id" text NOT NULL,
	"workflow_id" bigint NOT NULL,
	"execution_id" bigint,
	"caller" text NOT NULL,
	"message_id" text NOT NULL,
	"body_hash" text NOT NULL,
	"asked" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "a2a_calls_position" ON "a2a_calls" USING btree ("execution_id","node_id","visit","item");--> statement-breakpoint
CREATE INDEX "a2a_calls_age" ON "a2a_calls" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "a2a_connections_name" ON "a2a_connections" USING btree ("tenant_id","name");--> statement-breakpoint
CREATE INDEX "a2a_connections_due" ON "a2a_connections" USING btree ("next_check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "a2a_pushes_config" ON "a2a_pushes" USING btree ("task_row_id","config_id");--> statement-breakpoint
CREATE INDEX "a2a_pushes_due" ON "a2a_pushes" USING btree ("next_look_at");--> statement-breakpoint
CREATE UNIQUE INDEX "a2a_tasks_task" ON "a2a_tasks" USING btree ("task_id");--> statement-breakpoint
CREATE UNIQUE INDEX "a2a_tasks_message" ON "a2a_tasks" USING btree ("tenant_id","caller","workflow_id","message_id");--> statement-breakpoint
CREATE INDEX "a2a_tasks_context" ON "a2a_tasks" USING btree ("tenant_id","workflow_id","context_id");--> statement-breakpoint
CREATE INDEX "a2a_tasks_execution" ON "a2a_tasks" USING btree ("execution_id");