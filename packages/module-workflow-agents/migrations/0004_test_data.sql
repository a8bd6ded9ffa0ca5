CREATE TABLE "agent_workflow_test_data" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "agent_workflow_test_data_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"agent_workflow_id" bigint NOT NULL,
	"inputs" json NOT NULL,
	"pins" json NOT NULL,
	"updated_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_workflow_test_data_workflow" UNIQUE("agent_workflow_id")
);
--> statement-breakpoint
ALTER TABLE "agent_workflow_test_data" ADD CONSTRAINT "agent_workflow_test_data_agent_workflow_id_agent_workflows_id_fk" FOREIGN KEY ("agent_workflow_id") REFERENCES "public"."agent_workflows"("id") ON DELETE cascade ON UPDATE no action;