CREATE TABLE "ai_document_contents" (
	"document_id" bigint PRIMARY KEY NOT NULL,
	"tenant_id" integer NOT NULL,
	"data" "bytea",
	"text" text
);
--> statement-breakpoint
CREATE TABLE "ai_documents" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_documents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"vector_store_id" bigint NOT NULL,
	"key" text NOT NULL,
	"title" text NOT NULL,
	"media_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"content_hash" text NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" text NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"error" jsonb,
	"chunks" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_token" text,
	"lease_until" timestamp with time zone,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_vector_items" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_vector_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"vector_store_id" bigint NOT NULL,
	"key" text NOT NULL,
	"content" text NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"embedding" real[] NOT NULL,
	"search" "tsvector" NOT NULL,
	"document_id" bigint,
	"chunk" integer,
	"start_offset" integer,
	"end_offset" integer,
	"headings" jsonb,
	"pending" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_vector_stores" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_vector_stores_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"embedding_model" text NOT NULL,
	"dimensions" integer NOT NULL,
	"metric" text NOT NULL,
	"language" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ai_document_contents" ADD CONSTRAINT "ai_document_contents_document_id_ai_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."ai_documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_documents" ADD CONSTRAINT "ai_documents_vector_store_id_ai_vector_stores_id_fk" FOREIGN KEY ("vector_store_id") REFERENCES "public"."ai_vector_stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_vector_items" ADD CONSTRAINT "ai_vector_items_vector_store_id_ai_vector_stores_id_fk" FOREIGN KEY ("vector_store_id") REFERENCES "public"."ai_vector_stores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_vector_items" ADD CONSTRAINT "ai_vector_items_document_id_ai_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."ai_documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ai_documents_store_key" ON "ai_documents" USING btree ("vector_store_id","key");--> statement-breakpoint
CREATE INDEX "ai_documents_open" ON "ai_documents" USING btree ("due_at") WHERE "ai_documents"."status" in ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "ai_vector_items_store_key" ON "ai_vector_items" USING btree ("vector_store_id","key");--> statement-breakpoint
CREATE INDEX "ai_vector_items_document" ON "ai_vector_items" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "ai_vector_items_search" ON "ai_vector_items" USING gin ("search");--> statement-breakpoint
CREATE INDEX "ai_vector_items_metadata" ON "ai_vector_items" USING gin ("metadata" jsonb_path_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "ai_vector_stores_tenant_slug" ON "ai_vector_stores" USING btree ("tenant_id","slug");