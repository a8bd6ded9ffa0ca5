CREATE TABLE "demo_orders" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "demo_orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"order_number" integer NOT NULL,
	"customer" text NOT NULL,
	"item" text NOT NULL,
	"total_cents" integer NOT NULL,
	"status" text NOT NULL,
	"promised_for" text NOT NULL,
	"expected_for" text NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"refund_reason" text,
	"refund_key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "demo_policies" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "demo_policies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tenant_id" integer NOT NULL,
	"topic" text NOT NULL,
	"title" text NOT NULL,
	"passage" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "demo_orders_tenant_number" ON "demo_orders" USING btree ("tenant_id","order_number");--> statement-breakpoint
CREATE UNIQUE INDEX "demo_policies_tenant_title" ON "demo_policies" USING btree ("tenant_id","title");