CREATE SEQUENCE "public"."oven_execution_id" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."oven_node_run_id" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."oven_review_id" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"tenant_id" integer NOT NULL,
	"scope" varchar(200) NOT NULL,
	"key" varchar(200) NOT NULL,
	"body_hash" varchar(64) NOT NULL,
	"execution_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_tenant_id_scope_key_pk" PRIMARY KEY("tenant_id","scope","key")
);
--> statement-breakpoint
CREATE TABLE "node_executions" (
	"id" bigint PRIMARY KEY DEFAULT nextval('oven_node_run_id') NOT NULL,
	"tenant_id" integer NOT NULL,
	"execution_id" bigint NOT NULL,
	"node_id" text NOT NULL,
	"parent_node_id" text,
	"node_type" text NOT NULL,
	"node_version" integer NOT NULL,
	"visit" integer NOT NULL,
	"attempt" integer NOT NULL,
	"item" text,
	"status" varchar(16) NOT NULL,
	"input" json NOT NULL,
	"output" json DEFAULT 'null' NOT NULL,
	"wait" json,
	"token_usage" json,
	"tool_calls" json,
	"cost_micros" bigint DEFAULT 0 NOT NULL,
	"error" text,
	"error_info" json,
	"duration_ms" bigint,
	"started_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "node_executions_run" UNIQUE NULLS NOT DISTINCT("execution_id","node_id","visit","item")
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" bigint PRIMARY KEY DEFAULT nextval('oven_review_id') NOT NULL,
	"tenant_id" integer NOT NULL,
	"execution_id" bigint NOT NULL,
	"execution_kind" varchar(16) NOT NULL,
	"workflow_id" bigint NOT NULL,
	"workflow_name" varchar(200) NOT NULL,
	"node_id" text NOT NULL,
	"visit" integer NOT NULL,
	"item" text,
	"status" varchar(16) DEFAULT 'open' NOT NULL,
	"title" text NOT NULL,
	"proposal" json NOT NULL,
	"schema" json,
	"context" json NOT NULL,
	"tool" text,
	"digest" varchar(64) NOT NULL,
	"assignees" json NOT NULL,
	"actions" json NOT NULL,
	"due_at" timestamp with time zone,
	"action" text,
	"data" json,
	"reason" text,
	"decided_by" bigint,
	"decided_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_events" (
	"execution_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"tenant_id" integer NOT NULL,
	"event" varchar(40) NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"fields" json NOT NULL,
	"patch" json,
	CONSTRAINT "run_events_execution_id_seq_pk" PRIMARY KEY("execution_id","seq")
);
--> statement-breakpoint
CREATE TABLE "run_signals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "run_signals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"execution_id" bigint NOT NULL,
	"tenant_id" integer NOT NULL,
	"type" varchar(16) NOT NULL,
	"data" json NOT NULL,
	"dedupe_key" text NOT NULL,
	"consumed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_signals_dedupe" UNIQUE("execution_id","dedupe_key")
);
--> statement-breakpoint
CREATE TABLE "workflow_executions" (
	"id" bigint PRIMARY KEY DEFAULT nextval('oven_execution_id') NOT NULL,
	"tenant_id" integer NOT NULL,
	"workflow_id" bigint NOT NULL,
	"workflow_version" integer NOT NULL,
	"agent_id" bigint,
	"session_id" bigint,
	"parent_id" bigint,
	"root_id" bigint,
	"retry_of" bigint,
	"fork_of" bigint,
	"trigger_event" text,
	"triggered_by" json NOT NULL,
	"principal" json NOT NULL,
	"input" json NOT NULL,
	"status" varchar(16) DEFAULT 'pending' NOT NULL,
	"outcome" text,
	"current_state" text DEFAULT '' NOT NULL,
	"active_states" json DEFAULT '[]' NOT NULL,
	"state_value" json DEFAULT 'null' NOT NULL,
	"waiting_until" timestamp with time zone,
	"checkpoint" json,
	"output" json DEFAULT 'null' NOT NULL,
	"token_usage" json DEFAULT '{"input":0,"output":0,"total":0}' NOT NULL,
	"cost_micros" bigint DEFAULT 0 NOT NULL,
	"steps" integer DEFAULT 0 NOT NULL,
	"simulated" boolean DEFAULT false NOT NULL,
	"error" text,
	"error_info" json,
	"context" json,
	"context_writers" json,
	"context_seq" integer DEFAULT 0 NOT NULL,
	"state" json,
	"epoch" integer DEFAULT 0 NOT NULL,
	"seq" integer DEFAULT 0 NOT NULL,
	"lease_owner" varchar(100),
	"lease_until" timestamp with time zone,
	"wake_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"completed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "workflow_versions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflow_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"workflow_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"content_hash" varchar(64) NOT NULL,
	"definition" jsonb NOT NULL,
	"description" text,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_versions_number" UNIQUE("workflow_id","version")
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"name" varchar(200) NOT NULL,
	"slug" varchar(63) NOT NULL,
	"description" text,
	"definition" jsonb NOT NULL,
	"agent_config" jsonb,
	"memory_config" jsonb,
	"mcp_export" boolean DEFAULT false NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflows_tenant_slug" UNIQUE("tenant_id","slug")
);
--> statement-breakpoint
ALTER TABLE "node_executions" ADD CONSTRAINT "node_executions_execution_id_workflow_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."workflow_executions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD CONSTRAINT "workflow_executions_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reviews_execution" ON "reviews" USING btree ("execution_id","id");--> statement-breakpoint
CREATE INDEX "reviews_open" ON "reviews" USING btree ("tenant_id","id") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "run_signals_open" ON "run_signals" USING btree ("execution_id","id") WHERE consumed_at is null;--> statement-breakpoint
CREATE INDEX "workflow_executions_tenant" ON "workflow_executions" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE INDEX "workflow_executions_workflow" ON "workflow_executions" USING btree ("workflow_id","id");--> statement-breakpoint
CREATE INDEX "workflow_executions_live" ON "workflow_executions" USING btree ("id") WHERE status in ('pending', 'running', 'paused');--> statement-breakpoint
CREATE INDEX "workflow_executions_wake" ON "workflow_executions" USING btree ("wake_at") WHERE wake_at is not null;