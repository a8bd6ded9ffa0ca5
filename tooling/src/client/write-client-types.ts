import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedModules } from "../../../packages/installation/src/modules.ts";
import { toOperationTypes } from "./operation-types.ts";

/* `pnpm client:types`: writes what the client knows of the routes of this installation. */
const file = join(import.meta.dirname, "../../../packages/client/src/generated/operations.ts");
writeFileSync(file, await toOperationTypes(installedModules({ demo: true })));
