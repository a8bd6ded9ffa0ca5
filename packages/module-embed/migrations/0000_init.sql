CREATE TABLE "embed_conversations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "embed_conversations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"embed_id" bigint NOT NULL,
	"visitor_id" uuid NOT NULL,
	"closed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "embed_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "embed_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"conversation_id" bigint NOT NULL,
	"message" text NOT NULL,
	"answer" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"execution_id" bigint,
	"execution_kind" text NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "embed_visitors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" integer NOT NULL,
	"embed_id" bigint NOT NULL,
	"origin" text NOT NULL,
	"secret_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "embeds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "embeds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"public_id" text NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean NOT NULL,
	"settings" json NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL,
	"runs_as" bigint NOT NULL,
	"runs_with_key" bigint,
	"runs_with_app" text,
	"granted" text[] NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "embed_conversations" ADD CONSTRAINT "embed_conversations_embed_id_embeds_id_fk" FOREIGN KEY ("embed_id") REFERENCES "public"."embeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embed_conversations" ADD CONSTRAINT "embed_conversations_visitor_id_embed_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."embed_visitors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embed_messages" ADD CONSTRAINT "embed_messages_conversation_id_embed_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."embed_conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embed_visitors" ADD CONSTRAINT "embed_visitors_embed_id_embeds_id_fk" FOREIGN KEY ("embed_id") REFERENCES "public"."embeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "embed_conversations_visitor" ON "embed_conversations" USING btree ("visitor_id","id");--> statement-breakpoint
CREATE INDEX "embed_conversations_embed" ON "embed_conversations" USING btree ("embed_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "embed_messages_key" ON "embed_messages" USING btree ("conversation_id","key");--> statement-breakpoint
CREATE UNIQUE INDEX "embed_messages_open" ON "embed_messages" USING btree ("conversation_id") WHERE status in ('pending', 'running', 'paused');--> statement-breakpoint
CREATE INDEX "embed_messages_conversation" ON "embed_messages" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "embed_visitors_embed" ON "embed_visitors" USING btree ("embed_id","seen_at");--> statement-breakpoint
CREATE UNIQUE INDEX "embeds_public_id" ON "embeds" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "embeds_tenant" ON "embeds" USING btree ("tenant_id","id");