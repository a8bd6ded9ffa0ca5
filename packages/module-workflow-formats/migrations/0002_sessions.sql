CREATE TABLE "session_graphs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "session_graphs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"graph_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"tenant_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"spec" json NOT NULL,
	"agent_workflow_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_graphs_graph_id_unique" UNIQUE("graph_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "session_graphs_slug" ON "session_graphs" USING btree ("tenant_id","user_id","slug");--> statement-breakpoint
CREATE INDEX "session_graphs_compiled" ON "session_graphs" USING btree ("agent_workflow_id");