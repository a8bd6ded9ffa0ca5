CREATE TABLE "routed_graphs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "routed_graphs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"graph_id" text NOT NULL,
	"name" text NOT NULL,
	"spec" json NOT NULL,
	"agent_workflow_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "routed_graphs_given" ON "routed_graphs" USING btree ("tenant_id","user_id","graph_id");--> statement-breakpoint
CREATE INDEX "routed_graphs_compiled" ON "routed_graphs" USING btree ("agent_workflow_id");