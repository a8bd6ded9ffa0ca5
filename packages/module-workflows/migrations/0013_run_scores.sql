CREATE TABLE "run_scores" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "run_scores_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"execution_id" bigint NOT NULL,
	"execution_kind" varchar(16) NOT NULL,
	"workflow_id" bigint NOT NULL,
	"workflow_version" integer NOT NULL,
	"ran_at" timestamp with time zone NOT NULL,
	"name" varchar(60) NOT NULL,
	"value" double precision NOT NULL,
	"comment" text,
	"source" varchar(8) NOT NULL,
	"scorer" varchar(100) NOT NULL,
	"user_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_scores_scorer" UNIQUE("execution_id","name","scorer")
);
--> statement-breakpoint
CREATE INDEX "run_scores_workflow" ON "run_scores" USING btree ("tenant_id","execution_kind","workflow_id","ran_at");