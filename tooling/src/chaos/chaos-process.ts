import { createHttpServer } from "../../../apps/dashboard/server/http-server.ts";
import { connectDatabase } from "../../../packages/db/src/index.ts";
import { readEnvironment } from "../../../packages/installation/src/environment.ts";
import { installedModules } from "../../../packages/installation/src/modules.ts";
import { createRuntime } from "../../../packages/module-registry/src/index.ts";
import { createChaosModule } from "./chaos-module.ts";

/*
 * The server without its pages, with the chaos module beside the others; a process to be killed. Says `ready` and its port.
 * The environment is that of the server; CHAOS_LEDGER_URL names the ledger.
 */
const environment = readEnvironment(process.env, false);
const ledgerUrl = process.env.CHAOS_LEDGER_URL ?? "";
const db = await connectDatabase({ url: environment.databaseUrl, dataDir: environment.dataDir });
const { mcpServersFile } = environment;
const installed = installedModules({ demo: false, ...(mcpServersFile === undefined ? {} : { mcpServersFile }) });
const modules = [...installed, createChaosModule(ledgerUrl)];
const runtime = await createRuntime({ db, modules, environment });
const { server } = createHttpServer(runtime.fetch, () => undefined);
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.stdout.write(`ready ${address.port}\n`);
});
// Says what is left on the heap once garbage is gone; needs --expose-gc.
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  process.stdout.write(`heap ${process.memoryUsage().heapUsed}\n`);
});
process.on("SIGTERM", async () => {
  await runtime.stop();
  await db.close();
  process.exit(0);
});
