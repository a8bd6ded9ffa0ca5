import { connectDatabase } from "@oven/db";
import { createRuntime, type Runtime } from "@oven/module-registry";
import { setGlobalRuntime } from "@oven/module-registry/global";
import type { ServerEnvironment } from "./environment.ts";
import { installedModules } from "./modules.ts";

export interface Oven {
  runtime: Runtime;
  close(): Promise<void>;
}

/** Opens the database and the one runtime of this process, and makes it known to the catch-all route. */
export async function openOven(environment: ServerEnvironment): Promise<Oven> {
  const db = await connectDatabase({ url: environment.databaseUrl, dataDir: environment.dataDir });
  let runtime: Runtime;
  try {
    runtime = await createRuntime({ db, modules: installedModules(environment), environment });
  } catch (error) {
    await db.close();
    throw error;
  }
  setGlobalRuntime(runtime);
  return {
    runtime,
    close: async () => {
      setGlobalRuntime(undefined);
      await runtime.stop();
      await db.close();
    },
  };
}
