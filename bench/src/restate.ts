import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as restate from "@restatedev/restate-sdk";
import { LOOP_STEPS, measure, NODES, print, text } from "./measure.ts";

/*
 * Restate keeps its own log, so it is the one peer without the shared PostgreSQL: its server writes to a folder beside it.
 * A call goes over HTTP to the server, which calls the steps back in this process: that is how it is used.
 */
const bench = restate.service({
  name: "bench",
  handlers: {
    linear: async (context: restate.Context) => {
      for (let node = 0; node < NODES; node++) {
        await context.run(`s${node}`, () => ({ node, text: text(node, 150) }));
      }
    },
    loop: async (context: restate.Context) => {
      for (let step = 0; step < LOOP_STEPS; step++) {
        await context.run("step", () => ({ role: "user", content: text(step, 1_024) }));
      }
    },
  },
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return address.port;
}

async function untilAnswered(url: string): Promise<void> {
  for (const until = performance.now() + 60_000; ; await pause(100)) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (performance.now() > until) throw new Error(`${url} did not answer within a minute.`);
  }
}

const [ingress, admin, fabric, own] = [await freePort(), await freePort(), await freePort(), await freePort()];
const folder = mkdtempSync(join(tmpdir(), "oven-bench-restate-"));
const launcher = createRequire(import.meta.url).resolve("@restatedev/restate-server/package.json");
const { bin } = createRequire(import.meta.url)(launcher) as { bin: string }; // cast: npm's package.json
const server = spawn(process.execPath, [join(launcher, "..", bin)], {
  cwd: folder,
  detached: true,
  stdio: ["ignore", "ignore", "inherit"],
  env: {
    ...process.env,
    RESTATE_BASE_DIR: folder,
    RESTATE_LOG_FILTER: "error",
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_BIND_ADDRESS: `127.0.0.1:${fabric}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${fabric}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
  },
});
try {
  const logger: restate.LoggerTransport = ({ level }, message) => {
    if (level === "error") console.error(message);
  };
  await restate.serve({ services: [bench], port: own, logger });
  await untilAnswered(`http://127.0.0.1:${admin}/health`);
  await untilAnswered(`http://127.0.0.1:${ingress}/restate/health`);
  const post = async (url: string, body?: unknown): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url, {
      method: "POST",
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answered = await answer.text();
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${answered}`);
  };
  await post(`http://127.0.0.1:${admin}/deployments`, { uri: `http://127.0.0.1:${own}` });
  const call = (handler: string) => post(`http://127.0.0.1:${ingress}/bench/${handler}`);
  const runs = { runLinear: () => call("linear"), runLoop: () => call("loop") };
  print(await measure({ system: "Restate 1.7.12, log of its own", ...runs }));
} finally {
  if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();
