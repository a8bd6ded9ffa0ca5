CREATE TABLE "run_holds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "run_holds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"kind" varchar(16),
	"workflow_id" bigint,
	"execution_id" bigint,
	"reason" text,
	"held_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_holds_target" UNIQUE NULLS NOT DISTINCT("tenant_id","kind","workflow_id","execution_id")
);
