import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectDatabase } from "../../../packages/db/src/index.ts";
import { createTestPostgres } from "../../../packages/db/src/testing.ts";
import { installedModules } from "../../../packages/installation/src/index.ts";
import { createRuntime } from "../../../packages/module-registry/src/index.ts";
import { startTestOven, type TestOven } from "../../../packages/testing/src/index.ts";

export interface OvenWithService {
  oven: TestOven;
  /** A service that answers `{"n": …}` with the number at the end of the path. */
  origin: string;
  /** How often it was asked. */
  asked(): number;
}

/** OVEN on a database of its own on PostgreSQL, beside a service that its workflows may call. */
export async function withOvenAndService<Result>(
  postgresUrl: string,
  use: (given: OvenWithService) => Promise<Result>,
): Promise<Result> {
  let asked = 0;
  const service = createServer((request, response) => {
    asked += 1;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ n: Number(request.url?.split("/").at(-1)) }));
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`; // cast: it listens on TCP
  const database = await createTestPostgres(postgresUrl);
  const db = await connectDatabase({ dataDir: "", url: database.url });
  const modules = installedModules({ demo: false });
  const oven = await startTestOven({ createRuntime, db, modules, environment: { outboundAllow: [origin] } });
  try {
    return await use({ oven, origin, asked: () => asked });
  } finally {
    await oven.stop();
    await db.close();
    await database.drop();
    service.close();
  }
}
