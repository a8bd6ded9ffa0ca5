CREATE TABLE "builder_proposals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "builder_proposals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"execution_id" bigint NOT NULL,
	"workflow_id" bigint NOT NULL,
	"workflow_name" varchar(200) NOT NULL,
	"base_version" integer NOT NULL,
	"failure" json NOT NULL,
	"failure_key" varchar(64) NOT NULL,
	"run_ids" json NOT NULL,
	"whole_group" boolean NOT NULL,
	"automatic" boolean NOT NULL,
	"started_by" bigint,
	"definition" json,
	"revision" integer DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'working' NOT NULL,
	"open" boolean DEFAULT true NOT NULL,
	"evidence" json,
	"explanation" text,
	"decision" json,
	"reason" text,
	"published_version" integer,
	"retried" json,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "builder_proposals_execution" ON "builder_proposals" USING btree ("execution_id");--> statement-breakpoint
CREATE UNIQUE INDEX "builder_proposals_open" ON "builder_proposals" USING btree ("tenant_id","workflow_id","failure_key") WHERE open;--> statement-breakpoint
CREATE INDEX "builder_proposals_workflow" ON "builder_proposals" USING btree ("tenant_id","workflow_id","id");