CREATE TABLE "a2a_contexts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "a2a_contexts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"agent_id" bigint NOT NULL,
	"caller" text NOT NULL,
	"context_id" text NOT NULL,
	"session_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "a2a_tasks" ALTER COLUMN "workflow_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "a2a_tasks" ADD COLUMN "agent_id" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "a2a_contexts_context" ON "a2a_contexts" USING btree ("tenant_id","caller","agent_id","context_id");--> statement-breakpoint
CREATE INDEX "a2a_contexts_session" ON "a2a_contexts" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "a2a_tasks_agent_message" ON "a2a_tasks" USING btree ("tenant_id","caller","agent_id","message_id");--> statement-breakpoint
CREATE INDEX "a2a_tasks_agent_context" ON "a2a_tasks" USING btree ("tenant_id","agent_id","context_id");