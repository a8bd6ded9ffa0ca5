CREATE TABLE "user_table_keys" (
	"tenant_id" integer NOT NULL,
	"table_id" bigint NOT NULL,
	"row_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"is_unique" boolean NOT NULL,
	CONSTRAINT "user_table_keys_row_id_kind_pk" PRIMARY KEY("row_id","kind")
);
--> statement-breakpoint
CREATE TABLE "user_table_rows" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_table_rows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"table_id" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"cells" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_table_sizes" (
	"table_id" bigint PRIMARY KEY NOT NULL,
	"tenant_id" integer NOT NULL,
	"rows" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_table_tools" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_table_tools_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"table_id" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"enabled" boolean NOT NULL,
	"actions" jsonb NOT NULL,
	"filter" jsonb NOT NULL,
	"visible" jsonb,
	"writable" jsonb,
	"most" integer NOT NULL,
	"needs_approval" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_table_writes" (
	"tenant_id" integer NOT NULL,
	"key" text NOT NULL,
	"result" json,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_table_writes_tenant_id_key_pk" PRIMARY KEY("tenant_id","key")
);
--> statement-breakpoint
CREATE TABLE "user_tables" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_tables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"columns" jsonb NOT NULL,
	"unique_groups" jsonb NOT NULL,
	"next_key" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "user_table_keys" ADD CONSTRAINT "user_table_keys_row_id_user_table_rows_id_fk" FOREIGN KEY ("row_id") REFERENCES "public"."user_table_rows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_table_rows" ADD CONSTRAINT "user_table_rows_table_id_user_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."user_tables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_table_sizes" ADD CONSTRAINT "user_table_sizes_table_id_user_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."user_tables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_table_tools" ADD CONSTRAINT "user_table_tools_table_id_user_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."user_tables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "user_table_keys_unique" ON "user_table_keys" USING btree ("table_id","kind","key") WHERE is_unique;--> statement-breakpoint
CREATE INDEX "user_table_keys_found" ON "user_table_keys" USING btree ("table_id","kind","key") WHERE not is_unique;--> statement-breakpoint
CREATE INDEX "user_table_rows_table" ON "user_table_rows" USING btree ("table_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "user_table_tools_name" ON "user_table_tools" USING btree ("tenant_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "user_tables_slug" ON "user_tables" USING btree ("tenant_id","slug");