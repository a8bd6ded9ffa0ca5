ALTER TABLE "agent_workflow_drafts" ADD COLUMN "granted" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_workflow_versions" ADD COLUMN "granted" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- Versions and drafts of before are granted what their author's roles permit now; what the installation itself made, everything.
UPDATE "agent_workflow_versions" SET "granted" = '{*}' WHERE "created_by" IS NULL;--> statement-breakpoint
UPDATE "agent_workflow_drafts" SET "granted" = '{*}' WHERE "updated_by" IS NULL;--> statement-breakpoint
DO $$ BEGIN
  -- Its tables are absent where this module is installed without the one that knows users.
  IF to_regclass('user_roles') IS NOT NULL THEN
    UPDATE "agent_workflow_versions" v SET "granted" = array(
      SELECT DISTINCT permission FROM user_roles ur
        JOIN roles r ON r.name = ur.role AND r.tenant_id IN (0, ur.tenant_id)
        CROSS JOIN unnest(r.permissions) AS permission
      WHERE ur.user_id = v."created_by" AND ur.tenant_id = v."tenant_id") WHERE v."created_by" IS NOT NULL;
    UPDATE "agent_workflow_drafts" d SET "granted" = array(
      SELECT DISTINCT permission FROM user_roles ur
        JOIN roles r ON r.name = ur.role AND r.tenant_id IN (0, ur.tenant_id)
        CROSS JOIN unnest(r.permissions) AS permission
      WHERE ur.user_id = d."updated_by" AND ur.tenant_id = d."tenant_id") WHERE d."updated_by" IS NOT NULL;
  END IF;
END $$;
