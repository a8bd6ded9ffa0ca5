CREATE TABLE "graph_policies" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "graph_policies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"name" varchar(200) NOT NULL,
	"description" varchar(2000),
	"severity" varchar(16) NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"rule" jsonb NOT NULL,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "graph_policies_tenant_name" UNIQUE("tenant_id","name")
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "secrets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"name" varchar(64) NOT NULL,
	"hosts" jsonb NOT NULL,
	"key_id" varchar(32) NOT NULL,
	"sealed" text NOT NULL,
	"last_used_at" timestamp with time zone,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secrets_tenant_name" UNIQUE("tenant_id","name")
);
--> statement-breakpoint
CREATE INDEX "secrets_key_id" ON "secrets" USING btree ("key_id");