CREATE TABLE "trigger_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "trigger_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"trigger_id" bigint NOT NULL,
	"key" text NOT NULL,
	"event" text,
	"payload" json NOT NULL,
	"decision" text DEFAULT 'received' NOT NULL,
	"reason" text,
	"execution_kind" text,
	"execution_id" bigint,
	"replay_of" bigint,
	"depth" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp with time zone,
	"run_ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "triggers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "triggers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"target_kind" text NOT NULL,
	"workflow_id" bigint NOT NULL,
	"config" jsonb NOT NULL,
	"filter" jsonb,
	"input" jsonb,
	"overlap" text DEFAULT 'allow' NOT NULL,
	"overlap_counts_paused" boolean DEFAULT true NOT NULL,
	"runs_as" bigint,
	"state" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"due_at" timestamp with time zone,
	"claimed_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "trigger_deliveries" ADD CONSTRAINT "trigger_deliveries_trigger_id_triggers_id_fk" FOREIGN KEY ("trigger_id") REFERENCES "public"."triggers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "trigger_deliveries_key" ON "trigger_deliveries" USING btree ("trigger_id","key");--> statement-breakpoint
CREATE INDEX "trigger_deliveries_open" ON "trigger_deliveries" USING btree ("next_attempt_at") WHERE decision in ('received', 'queued');--> statement-breakpoint
CREATE INDEX "trigger_deliveries_live" ON "trigger_deliveries" USING btree ("trigger_id") WHERE decision = 'started' and run_ended_at is null;--> statement-breakpoint
CREATE INDEX "trigger_deliveries_execution" ON "trigger_deliveries" USING btree ("execution_kind","execution_id");--> statement-breakpoint
CREATE INDEX "trigger_deliveries_tenant" ON "trigger_deliveries" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE INDEX "triggers_due" ON "triggers" USING btree ("due_at") WHERE enabled and due_at is not null;--> statement-breakpoint
CREATE INDEX "triggers_target" ON "triggers" USING btree ("target_kind","workflow_id");--> statement-breakpoint
CREATE INDEX "triggers_tenant" ON "triggers" USING btree ("tenant_id","type");