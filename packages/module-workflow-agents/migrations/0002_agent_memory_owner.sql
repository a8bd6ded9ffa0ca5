ALTER TABLE "agent_memory" ALTER COLUMN "agent_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_memory" ADD COLUMN "agent_workflow_id" bigint;--> statement-breakpoint
ALTER TABLE "agent_memory" ADD COLUMN "vector_store_id" bigint;--> statement-breakpoint
ALTER TABLE "agent_memory" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "agent_memory_workflow_owner" ON "agent_memory" USING btree ("tenant_id","agent_workflow_id","user_id");--> statement-breakpoint
CREATE INDEX "agent_memory_expiry" ON "agent_memory" USING btree ("tenant_id","expires_at") WHERE "agent_memory"."expires_at" is not null;--> statement-breakpoint
ALTER TABLE "agent_memory" ADD CONSTRAINT "agent_memory_one_owner" CHECK (("agent_memory"."agent_id" is null) <> ("agent_memory"."agent_workflow_id" is null));