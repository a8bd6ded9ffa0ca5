CREATE UNLOGGED TABLE "rate_buckets" (
	"key" text PRIMARY KEY NOT NULL,
	"level" double precision NOT NULL,
	"granted" integer NOT NULL,
	"at" timestamp with time zone NOT NULL
);
