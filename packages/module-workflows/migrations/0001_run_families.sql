CREATE TABLE "run_blobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "run_blobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"execution_id" bigint NOT NULL,
	"node_id" text NOT NULL,
	"visit" integer NOT NULL,
	"item" text,
	"media_type" varchar(200) NOT NULL,
	"size" bigint NOT NULL,
	"sha256" varchar(64) NOT NULL,
	"data" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_records" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "usage_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"metric" varchar(100) NOT NULL,
	"subject" varchar(200) NOT NULL,
	"amount" double precision NOT NULL,
	"execution_id" bigint NOT NULL,
	"dedupe_key" varchar(64) NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "usage_records_dedupe" UNIQUE("tenant_id","dedupe_key")
);
--> statement-breakpoint
ALTER TABLE "run_events" ADD COLUMN "cause" json;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD COLUMN "parent_node_id" text;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD COLUMN "parent_visit" integer;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD COLUMN "parent_item" text;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD COLUMN "parent_seq" integer;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD COLUMN "part" text;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD COLUMN "depth" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD COLUMN "origin_seq" integer;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD COLUMN "options" json;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD COLUMN "pinned_calls" json;--> statement-breakpoint
ALTER TABLE "workflow_executions" ADD COLUMN "priority" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD COLUMN "calls" jsonb;--> statement-breakpoint
CREATE INDEX "run_blobs_execution" ON "run_blobs" USING btree ("execution_id");--> statement-breakpoint
CREATE INDEX "usage_records_sum" ON "usage_records" USING btree ("tenant_id","metric","subject","created_at");--> statement-breakpoint
CREATE INDEX "workflow_executions_children" ON "workflow_executions" USING btree ("parent_id","id") WHERE parent_id is not null;--> statement-breakpoint
CREATE INDEX "workflow_executions_family" ON "workflow_executions" USING btree ("root_id","id") WHERE root_id is not null;