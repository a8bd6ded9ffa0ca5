CREATE TABLE "score_judgements" (
	"judge_id" bigint NOT NULL,
	"execution_id" bigint NOT NULL,
	"tenant_id" integer NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error_code" text,
	"error_message" text,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "score_judgements_judge_id_execution_id_pk" PRIMARY KEY("judge_id","execution_id")
);
--> statement-breakpoint
CREATE TABLE "score_judges" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "score_judges_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" bigint NOT NULL,
	"name" text NOT NULL,
	"rubric" text NOT NULL,
	"path" text NOT NULL,
	"model" text NOT NULL,
	"percent" double precision NOT NULL,
	"max_per_day" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "score_judgements" ADD CONSTRAINT "score_judgements_judge_id_score_judges_id_fk" FOREIGN KEY ("judge_id") REFERENCES "public"."score_judges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "score_judgements_due" ON "score_judgements" USING btree ("due_at") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "score_judgements_day" ON "score_judgements" USING btree ("judge_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "score_judges_name" ON "score_judges" USING btree ("tenant_id","target_kind","target_id","name");