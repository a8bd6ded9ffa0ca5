CREATE TABLE "event_wirings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_wirings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"trigger_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "event_wirings" ADD CONSTRAINT "event_wirings_trigger_id_triggers_id_fk" FOREIGN KEY ("trigger_id") REFERENCES "public"."triggers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "event_wirings_tenant" ON "event_wirings" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "event_wirings_trigger" ON "event_wirings" USING btree ("trigger_id");