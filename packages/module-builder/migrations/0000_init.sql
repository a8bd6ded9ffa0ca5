CREATE TABLE "builder_desks" (
	"execution_id" bigint PRIMARY KEY NOT NULL,
	"tenant_id" integer NOT NULL,
	"workflow_id" bigint NOT NULL,
	"slug" text NOT NULL,
	"seen_revision" integer NOT NULL,
	"seen" json NOT NULL,
	"changed" boolean DEFAULT false NOT NULL,
	"cases" json NOT NULL,
	"asked" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
