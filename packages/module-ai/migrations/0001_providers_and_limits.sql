CREATE TABLE "ai_budget_spend" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_budget_spend_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"budget_id" bigint NOT NULL,
	"subject" text NOT NULL,
	"period" varchar(16) NOT NULL,
	"spent_micros" bigint DEFAULT 0 NOT NULL,
	"spent_tokens" bigint DEFAULT 0 NOT NULL,
	"reservations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_budgets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_budgets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"name" text NOT NULL,
	"scope" varchar(16) NOT NULL,
	"target" text,
	"period" varchar(16) NOT NULL,
	"limit_micros" bigint,
	"limit_tokens" bigint,
	"action" varchar(16) NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_cached_answers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_cached_answers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"digest" varchar(64) NOT NULL,
	"answer" json NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_guardrails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_guardrails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"name" text NOT NULL,
	"direction" varchar(16) NOT NULL,
	"action" varchar(16) NOT NULL,
	"rule" jsonb NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_prices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"provider_id" varchar(64) NOT NULL,
	"model_id" text NOT NULL,
	"input_micros" bigint DEFAULT 0 NOT NULL,
	"cached_input_micros" bigint DEFAULT 0 NOT NULL,
	"output_micros" bigint DEFAULT 0 NOT NULL,
	"image_micros" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_providers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_providers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"slug" varchar(64) NOT NULL,
	"title" text NOT NULL,
	"kind" varchar(32) NOT NULL,
	"base_url" text,
	"secret" varchar(64),
	"headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_rate_limits" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_rate_limits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"provider_id" varchar(64) NOT NULL,
	"requests_per_minute" integer,
	"tokens_per_minute" integer,
	"slots" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_recorded_answers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_recorded_answers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"recording" varchar(200) NOT NULL,
	"digest" varchar(64) NOT NULL,
	"call_key" text NOT NULL,
	"answer" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ai_aliases" ADD COLUMN "fallbacks" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "ai_usage_logs" ADD COLUMN "source" text DEFAULT 'provider' NOT NULL;--> statement-breakpoint
ALTER TABLE "ai_usage_logs" ADD COLUMN "estimated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "ai_usage_logs" ADD COLUMN "key_id" bigint;--> statement-breakpoint
ALTER TABLE "ai_usage_logs" ADD COLUMN "workflow" text;--> statement-breakpoint
ALTER TABLE "ai_usage_logs" ADD COLUMN "agent" text;--> statement-breakpoint
ALTER TABLE "ai_usage_logs" ADD COLUMN "fallback_from" text;--> statement-breakpoint
ALTER TABLE "ai_budget_spend" ADD CONSTRAINT "ai_budget_spend_budget_id_ai_budgets_id_fk" FOREIGN KEY ("budget_id") REFERENCES "public"."ai_budgets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ai_budget_spend_subject" ON "ai_budget_spend" USING btree ("budget_id","subject","period");--> statement-breakpoint
CREATE INDEX "ai_budgets_tenant" ON "ai_budgets" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ai_cached_answers_digest" ON "ai_cached_answers" USING btree ("tenant_id","digest");--> statement-breakpoint
CREATE INDEX "ai_cached_answers_expiry" ON "ai_cached_answers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ai_guardrails_tenant" ON "ai_guardrails" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ai_prices_tenant_model" ON "ai_prices" USING btree ("tenant_id","provider_id","model_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ai_providers_tenant_slug" ON "ai_providers" USING btree ("tenant_id","slug");--> statement-breakpoint
CREATE UNIQUE INDEX "ai_rate_limits_tenant_provider" ON "ai_rate_limits" USING btree ("tenant_id","provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ai_recorded_answers_call" ON "ai_recorded_answers" USING btree ("tenant_id","recording","digest","call_key");