CREATE TABLE "executor_chain_resumes" (
	"execution_id" bigint PRIMARY KEY NOT NULL,
	"tenant_id" integer NOT NULL,
	"first_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "executor_chains" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "executor_chains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workflow_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"tenant_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"slug" text NOT NULL,
	"thread_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"executors" jsonb NOT NULL,
	"tool_manifest_json" jsonb NOT NULL,
	"schedule_type" text NOT NULL,
	"schedule_time" timestamp with time zone,
	"cron_expression" text,
	"timezone" text NOT NULL,
	"misfire" text NOT NULL,
	"overlap" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"notify_on_complete" boolean NOT NULL,
	"notify_on_failure" boolean NOT NULL,
	"agent_workflow_id" bigint NOT NULL,
	"trigger_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "executor_chains_workflow_id_unique" UNIQUE("workflow_id")
);
--> statement-breakpoint
CREATE INDEX "executor_chain_resumes_first" ON "executor_chain_resumes" USING btree ("first_id","execution_id");--> statement-breakpoint
CREATE UNIQUE INDEX "executor_chains_slug" ON "executor_chains" USING btree ("tenant_id","user_id","slug");--> statement-breakpoint
CREATE INDEX "executor_chains_compiled" ON "executor_chains" USING btree ("agent_workflow_id");