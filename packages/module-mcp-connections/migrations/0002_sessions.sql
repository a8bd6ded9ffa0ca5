ALTER TABLE "mcp_connections" ADD COLUMN "max_sessions" integer DEFAULT 10 NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_connections" ADD COLUMN "session_wait_ms" integer DEFAULT 30000 NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_connections" ADD COLUMN "session_idle_ms" integer DEFAULT 300000 NOT NULL;