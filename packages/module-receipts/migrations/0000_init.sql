CREATE TABLE "receipt_keys" (
	"kid" varchar(64) PRIMARY KEY NOT NULL,
	"public_key" varchar(43) NOT NULL,
	"sealed" text NOT NULL,
	"current" boolean,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone,
	CONSTRAINT "receipt_keys_current_unique" UNIQUE("current")
);
--> statement-breakpoint
CREATE TABLE "run_receipt_salts" (
	"execution_id" bigint PRIMARY KEY NOT NULL,
	"tenant_id" integer NOT NULL,
	"salt" varchar(43) NOT NULL,
	"ended_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_receipts" (
	"execution_id" bigint PRIMARY KEY NOT NULL,
	"tenant_id" integer NOT NULL,
	"head" varchar(64) NOT NULL,
	"file" text NOT NULL,
	"certificate" json,
	"used" json NOT NULL,
	"digests" "bytea" NOT NULL,
	"ended_at" timestamp with time zone NOT NULL
);
