ALTER TABLE "ai_documents" ADD COLUMN "warnings" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "ai_documents" ADD COLUMN "charset" text;