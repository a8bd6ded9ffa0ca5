CREATE TABLE "agent_memory" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "agent_memory_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"agent_id" bigint NOT NULL,
	"user_id" bigint,
	"key" varchar(200) NOT NULL,
	"content" text NOT NULL,
	"metadata" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_workflow_executions" (
	"id" bigint PRIMARY KEY DEFAULT nextval('oven_execution_id') NOT NULL,
	"tenant_id" integer NOT NULL,
	"agent_workflow_id" bigint NOT NULL,
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
CREATE TABLE "agent_workflow_node_executions" (
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
	CONSTRAINT "agent_node_executions_run" UNIQUE NULLS NOT DISTINCT("execution_id","node_id","visit","item")
);
--> statement-breakpoint
CREATE TABLE "agent_workflow_versions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "agent_workflow_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"agent_workflow_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"content_hash" varchar(64) NOT NULL,
	"definition" jsonb NOT NULL,
	"description" text,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_workflow_versions_number" UNIQUE("agent_workflow_id","version")
);
--> statement-breakpoint
CREATE TABLE "agent_workflows" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "agent_workflows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
	CONSTRAINT "agent_workflows_tenant_slug" UNIQUE("tenant_id","slug")
);
--> statement-breakpoint
CREATE TABLE "mcp_server_definitions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mcp_server_definitions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"agent_workflow_id" bigint NOT NULL,
	"name" varchar(200) NOT NULL,
	"slug" varchar(70) NOT NULL,
	"tool_definitions" jsonb NOT NULL,
	"status" varchar(16) NOT NULL,
	"last_generated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mcp_server_definitions_agent_workflow_id_unique" UNIQUE("agent_workflow_id"),
	CONSTRAINT "mcp_server_definitions_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
ALTER TABLE "agent_workflow_executions" ADD CONSTRAINT "agent_workflow_executions_agent_workflow_id_agent_workflows_id_fk" FOREIGN KEY ("agent_workflow_id") REFERENCES "public"."agent_workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_workflow_node_executions" ADD CONSTRAINT "agent_workflow_node_executions_execution_id_agent_workflow_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."agent_workflow_executions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_workflow_versions" ADD CONSTRAINT "agent_workflow_versions_agent_workflow_id_agent_workflows_id_fk" FOREIGN KEY ("agent_workflow_id") REFERENCES "public"."agent_workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_server_definitions" ADD CONSTRAINT "mcp_server_definitions_agent_workflow_id_agent_workflows_id_fk" FOREIGN KEY ("agent_workflow_id") REFERENCES "public"."agent_workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_memory_owner" ON "agent_memory" USING btree ("tenant_id","agent_id","user_id");--> statement-breakpoint
CREATE INDEX "agent_workflow_executions_tenant" ON "agent_workflow_executions" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE INDEX "agent_workflow_executions_workflow" ON "agent_workflow_executions" USING btree ("agent_workflow_id","id");--> statement-breakpoint
CREATE INDEX "agent_workflow_executions_live" ON "agent_workflow_executions" USING btree ("id") WHERE status in ('pending', 'running', 'paused');--> statement-breakpoint
CREATE INDEX "agent_workflow_executions_wake" ON "agent_workflow_executions" USING btree ("wake_at") WHERE wake_at is not null;