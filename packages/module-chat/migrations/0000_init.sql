CREATE TABLE "chat_sessions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chat_sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"owner" text NOT NULL,
	"title" varchar(200),
	"target_kind" text NOT NULL,
	"target_id" bigint NOT NULL,
	"target_name" varchar(200) NOT NULL,
	"agent_session_id" bigint,
	"parameters" json NOT NULL,
	"mapping" json,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_turns" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chat_turns_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"session_id" bigint NOT NULL,
	"message" text,
	"answer" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"error_code" text,
	"error_message" text,
	"execution_id" bigint,
	"execution_kind" text NOT NULL,
	"tool_calls" integer DEFAULT 0 NOT NULL,
	"simulated" boolean DEFAULT false NOT NULL,
	"token_usage" json,
	"cost_micros" bigint DEFAULT 0 NOT NULL,
	"duration_ms" bigint,
	"idempotency_key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "chat_turns" ADD CONSTRAINT "chat_turns_session_id_chat_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."chat_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_sessions_owner" ON "chat_sessions" USING btree ("tenant_id","owner","updated_at");--> statement-breakpoint
CREATE INDEX "chat_turns_session" ON "chat_turns" USING btree ("session_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_turns_execution" ON "chat_turns" USING btree ("execution_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_turns_key" ON "chat_turns" USING btree ("session_id","idempotency_key");