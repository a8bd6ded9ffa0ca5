CREATE TABLE "run_migration_items" (
	"migration_id" bigint NOT NULL,
	"execution_id" bigint NOT NULL,
	"tenant_id" integer NOT NULL,
	"status" varchar(16) NOT NULL,
	"reason" text,
	"epoch" integer,
	"seq" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_migration_items_migration_id_execution_id_pk" PRIMARY KEY("migration_id","execution_id")
);
--> statement-breakpoint
CREATE TABLE "run_migrations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "run_migrations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"kind" varchar(16) NOT NULL,
	"workflow_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"mapping" json NOT NULL,
	"passed" json NOT NULL,
	"principal" json NOT NULL,
	"status" varchar(16) NOT NULL,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "canary" jsonb;--> statement-breakpoint
ALTER TABLE "run_migration_items" ADD CONSTRAINT "run_migration_items_migration_id_run_migrations_id_fk" FOREIGN KEY ("migration_id") REFERENCES "public"."run_migrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "run_migration_items_status" ON "run_migration_items" USING btree ("migration_id","status","execution_id");--> statement-breakpoint
CREATE INDEX "run_migration_items_run" ON "run_migration_items" USING btree ("execution_id");--> statement-breakpoint
CREATE INDEX "run_migrations_workflow" ON "run_migrations" USING btree ("tenant_id","kind","workflow_id","id");--> statement-breakpoint
CREATE INDEX "run_migrations_open" ON "run_migrations" USING btree ("id") WHERE finished_at is null;