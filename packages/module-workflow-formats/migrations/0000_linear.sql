CREATE TABLE "data_container_instances" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "data_container_instances_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"tenant_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"execution_id" bigint NOT NULL,
	"datacontainer_uuid" uuid NOT NULL,
	"step_instance_uuid" uuid,
	"raw_data" json NOT NULL,
	"generated_summary" text,
	"markdown_representation" text,
	"messages" json,
	"made_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "data_container_instances_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
CREATE TABLE "data_containers" (
	"uuid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tenant_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linear_step_instances" (
	"uuid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tenant_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"execution_id" bigint NOT NULL,
	"step_definition_uuid" uuid NOT NULL,
	"status" varchar(16) DEFAULT 'pending' NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"details" jsonb NOT NULL,
	"output_container_instance_uuid" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linear_steps" (
	"uuid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tenant_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"type" varchar(16) NOT NULL,
	"details" jsonb NOT NULL,
	"summary_wanted" integer DEFAULT 0 NOT NULL,
	"summary_made" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linear_triggers" (
	"uuid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tenant_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"workflow_uuid" uuid NOT NULL,
	"details" jsonb NOT NULL,
	"trigger_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "linear_workflows" (
	"uuid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tenant_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"trigger_uuid" uuid,
	"steps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"template_id" text,
	"template_version" text,
	"workflow_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "data_container_instances_made_by" ON "data_container_instances" USING btree ("execution_id","made_by") WHERE "data_container_instances"."made_by" is not null;--> statement-breakpoint
CREATE INDEX "data_container_instances_newest" ON "data_container_instances" USING btree ("execution_id","datacontainer_uuid","id");--> statement-breakpoint
CREATE UNIQUE INDEX "data_containers_name" ON "data_containers" USING btree ("tenant_id","user_id","name");--> statement-breakpoint
CREATE INDEX "linear_step_instances_run" ON "linear_step_instances" USING btree ("execution_id");--> statement-breakpoint
CREATE UNIQUE INDEX "linear_steps_name" ON "linear_steps" USING btree ("tenant_id","user_id","type","name") WHERE "linear_steps"."type" <> 'stop_checker';--> statement-breakpoint
CREATE INDEX "linear_steps_summary_due" ON "linear_steps" USING btree ("uuid") WHERE "linear_steps"."summary_wanted" > "linear_steps"."summary_made";--> statement-breakpoint
CREATE INDEX "linear_triggers_owner" ON "linear_triggers" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "linear_workflows_owner" ON "linear_workflows" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "linear_workflows_compiled" ON "linear_workflows" USING btree ("workflow_id");