CREATE TABLE "workflow_seen_differences" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflow_seen_differences_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"workflow_id" bigint NOT NULL,
	"execution_id" bigint NOT NULL,
	"content_hash" varchar(64) NOT NULL,
	"digest" varchar(64) NOT NULL,
	"draft_revision" integer NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_seen_differences_once" UNIQUE("workflow_id","execution_id","content_hash","digest","user_id")
);
--> statement-breakpoint
ALTER TABLE "workflow_seen_differences" ADD CONSTRAINT "workflow_seen_differences_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;