CREATE TABLE "ai_document_pages" (
	"document_id" bigint NOT NULL,
	"page" integer NOT NULL,
	"tenant_id" integer NOT NULL,
	"text" text NOT NULL,
	"confidence" integer NOT NULL,
	CONSTRAINT "ai_document_pages_document_id_page_pk" PRIMARY KEY("document_id","page")
);
--> statement-breakpoint
ALTER TABLE "ai_documents" ADD COLUMN "recognition" jsonb;--> statement-breakpoint
ALTER TABLE "ai_document_pages" ADD CONSTRAINT "ai_document_pages_document_id_ai_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."ai_documents"("id") ON DELETE cascade ON UPDATE no action;