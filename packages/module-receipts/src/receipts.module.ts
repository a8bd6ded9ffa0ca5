// What they put into `services`.
import type {} from "@oven/module-agent-core";
import { defineModule, type ModuleDefinition } from "@oven/module-registry";
import { certify } from "./certificate/certify.ts";
import { ReceiptService } from "./issue/receipt-service.ts";
import { keyPermissions, keyRoutes } from "./keys/key.routes.ts";
import { ReceiptKeys } from "./keys/receipt-keys.ts";
import { menuItems, resources } from "./menu.ts";
import { personData } from "./person-data.ts";
import { receiptRoutes } from "./receipt.routes.ts";
import * as schema from "./schema.ts";

/** Signed receipts of runs, and the keys that sign them. */
export function createReceiptsModule(): ModuleDefinition {
  let state: { receipts: ReceiptService; keys: ReceiptKeys; issuer: string } | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-receipts was not started by a runtime");
    return state;
  };
  return defineModule({
    name: "module-receipts",
    namespace: "receipts",
    description: "Signed receipts of runs that have ended, which anyone can verify.",
    dependencies: ["module-registry", "module-workflows", "module-agent-core", "module-workflow-agents"],
    personData,
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: keyPermissions,
    resources,
    menuItems,
    routes: [...receiptRoutes(() => ready().receipts), ...keyRoutes(ready)],
    services: async ({ db, services, environment: { publicUrl: issuer } }) => {
      const keys = new ReceiptKeys(db, services.secrets);
      const { retention, policies } = services.workflowPlatform;
      const setting = (key: string) => ({ module: "module-workflows", key });
      const rows = { since: "ended_at", run: "execution_id" };
      retention.add({ table: "run_receipts", ...rows, setting: setting("RETENTION_RUNS_DAYS") });
      retention.add({ table: "run_receipt_salts", ...rows, setting: setting("RETENTION_RUN_DETAIL_DAYS") });
      const receipts = new ReceiptService({
        ...{ db, services, keys, issuer },
        certify: (run) => certify(policies, run),
      });
      state = { receipts, keys, issuer };
      return {};
    },
  });
}
