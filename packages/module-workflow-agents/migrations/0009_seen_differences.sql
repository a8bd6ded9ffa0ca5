CREATE TABLE "agent_workflow_seen_differences" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "agent_workflow_seen_differences_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"agent_workflow_id" bigint NOT NULL,
	"execution_id" bigint NOT NULL,
	"content_hash" varchar(64) NOT NULL,
	"digest" varchar(64) NOT NULL,
	"draft_revision" integer NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_workflow_seen_differences_once" UNIQUE("agent_workflow_id","execution_id","content_hash","digest","user_id")
);
--> statement-breakpoint
ALTER TABLE "agent_workflow_seen_differences" ADD CONSTRAINT "agent_workflow_seen_differences_agent_workflow_id_agent_workflows_id_fk" FOREIGN KEY ("agent_workflow_id") REFERENCES "public"."agent_workflows"("id") ON DELETE cascade ON UPDATE no action;