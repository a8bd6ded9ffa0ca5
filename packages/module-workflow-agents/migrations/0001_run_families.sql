ALTER TABLE "agent_workflow_executions" ADD COLUMN "parent_node_id" text;--> statement-breakpoint
ALTER TABLE "agent_workflow_executions" ADD COLUMN "parent_visit" integer;--> statement-breakpoint
ALTER TABLE "agent_workflow_executions" ADD COLUMN "parent_item" text;--> statement-breakpoint
ALTER TABLE "agent_workflow_executions" ADD COLUMN "parent_seq" integer;--> statement-breakpoint
ALTER TABLE "agent_workflow_executions" ADD COLUMN "part" text;--> statement-breakpoint
ALTER TABLE "agent_workflow_executions" ADD COLUMN "depth" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_workflow_executions" ADD COLUMN "origin_seq" integer;--> statement-breakpoint
ALTER TABLE "agent_workflow_executions" ADD COLUMN "options" json;--> statement-breakpoint
ALTER TABLE "agent_workflow_executions" ADD COLUMN "pinned_calls" json;--> statement-breakpoint
ALTER TABLE "agent_workflow_executions" ADD COLUMN "priority" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_workflow_versions" ADD COLUMN "calls" jsonb;--> statement-breakpoint
CREATE INDEX "agent_workflow_executions_children" ON "agent_workflow_executions" USING btree ("parent_id","id") WHERE parent_id is not null;--> statement-breakpoint
CREATE INDEX "agent_workflow_executions_family" ON "agent_workflow_executions" USING btree ("root_id","id") WHERE root_id is not null;