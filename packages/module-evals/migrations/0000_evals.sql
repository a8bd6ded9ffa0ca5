CREATE TABLE "eval_cases" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "eval_cases_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"dataset_id" bigint NOT NULL,
	"name" text NOT NULL,
	"input" json NOT NULL,
	"expectations" json NOT NULL,
	"decisions" json NOT NULL,
	"pins" json,
	"tags" text[] NOT NULL,
	"position" integer NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "eval_datasets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "eval_datasets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"target_kind" text NOT NULL,
	"target_id" bigint NOT NULL,
	"allow_effects" boolean DEFAULT false NOT NULL,
	"timeout_ms" integer DEFAULT 600000 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "eval_results" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "eval_results_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"run_id" bigint NOT NULL,
	"case_id" bigint,
	"case_name" text NOT NULL,
	"input" json NOT NULL,
	"expectations" json NOT NULL,
	"decisions" json NOT NULL,
	"pins" json,
	"tags" text[] NOT NULL,
	"position" integer NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"execution_kind" text,
	"execution_id" bigint,
	"output" json,
	"score" real,
	"checks" json NOT NULL,
	"error" json,
	"tokens" integer DEFAULT 0 NOT NULL,
	"cost_micros" bigint DEFAULT 0 NOT NULL,
	"duration_ms" integer,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "eval_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "eval_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"dataset_id" bigint NOT NULL,
	"dataset_slug" text NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" bigint NOT NULL,
	"target_version" integer NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"mode" text NOT NULL,
	"recording" text,
	"concurrency" integer NOT NULL,
	"allow_effects" boolean NOT NULL,
	"timeout_ms" integer NOT NULL,
	"principal" jsonb NOT NULL,
	"owner" text,
	"claimed_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "eval_cases" ADD CONSTRAINT "eval_cases_dataset_id_eval_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."eval_datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_results" ADD CONSTRAINT "eval_results_run_id_eval_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."eval_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "eval_runs" ADD CONSTRAINT "eval_runs_dataset_id_eval_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."eval_datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "eval_cases_name" ON "eval_cases" USING btree ("dataset_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_datasets_slug" ON "eval_datasets" USING btree ("tenant_id","slug");--> statement-breakpoint
CREATE UNIQUE INDEX "eval_results_case" ON "eval_results" USING btree ("run_id","case_name");--> statement-breakpoint
CREATE INDEX "eval_runs_open" ON "eval_runs" USING btree ("claimed_until") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "eval_runs_dataset" ON "eval_runs" USING btree ("dataset_id","id");--> statement-breakpoint
CREATE INDEX "eval_runs_tenant" ON "eval_runs" USING btree ("tenant_id","id");