CREATE TABLE "workflow_imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflow_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"kind" text NOT NULL,
	"workflow_id" bigint NOT NULL,
	"product" text NOT NULL,
	"product_title" text NOT NULL,
	"report" json NOT NULL,
	"originals" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_imports_workflow" ON "workflow_imports" USING btree ("kind","workflow_id");