ALTER TABLE "agent_versions" ADD COLUMN "granted" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- Versions of before are granted what their author's roles permit now; what the installation itself made, everything.
UPDATE "agent_versions" SET "granted" = '{*}' WHERE "created_by" IS NULL;--> statement-breakpoint
DO $$ BEGIN
  -- Its tables are absent where this module is installed without the one that knows users.
  IF to_regclass('user_roles') IS NOT NULL THEN
    UPDATE "agent_versions" v SET "granted" = array(
      SELECT DISTINCT permission FROM user_roles ur
        JOIN roles r ON r.name = ur.role AND r.tenant_id IN (0, ur.tenant_id)
        CROSS JOIN unnest(r.permissions) AS permission
      WHERE ur.user_id = v."created_by" AND ur.tenant_id = v."tenant_id") WHERE v."created_by" IS NOT NULL;
  END IF;
END $$;
