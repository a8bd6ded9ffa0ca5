import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startModelServer } from "@oven/testing";
import { openBrowser } from "../browser.ts";
import { startOven } from "../oven-process.ts";
import { signUp } from "../sign-up.ts";
import { buildFirstGraph, type FirstGraph } from "./build-first-graph.ts";

export interface FirstRun extends FirstGraph {
  /** How the run ended after the review was approved. */
  status: string;
  /** What the other system received. */
  received: unknown[];
}

const REFUND = { category: "refund", amount: 250 };

/** Builds the graph in a fresh installation, runs it with an e-mail, and approves its review. */
export async function runFirstGraph(): Promise<FirstRun> {
  const received: unknown[] = [];
  const other = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
  const target = `http://127.0.0.1:${(other.address() as AddressInfo).port}/refunds`; // cast: it listens on a port
  const model = await startModelServer(() => ({ text: JSON.stringify(REFUND) }));
  const oven = await startOven({
    env: { OPENAI_API_KEY: "test", OPENAI_BASE_URL: model.url, OVEN_OUTBOUND_ALLOW: new URL(target).origin },
  });
  const chromium = await openBrowser();
  try {
    const { page } = await chromium.newPage({ width: 1440, height: 900 });
    await signUp(page, oven);
    const graph = await buildFirstGraph(page, oven.url, target);
    const input = { email: "Please refund order 8841, it came broken." };
    const { body: run } = await oven.call("POST", `agent-workflows/${graph.workflowId}/execute?wait=30`, { input });
    if (run.status !== "paused") return { ...graph, status: run.status, received };
    const { body: reviews } = await oven.call("GET", "reviews");
    await oven.call("POST", `reviews/${reviews[0].id}/decide?wait=30`, { action: "approve" });
    for (;;) {
      const { body } = await oven.call("GET", `agent-workflow-executions/${run.id}`);
      if (!["pending", "running", "paused"].includes(body.status)) return { ...graph, status: body.status, received };
      await new Promise((done) => setTimeout(done, 200));
    }
  } finally {
    await chromium.close();
    await oven.kill("SIGKILL");
    await model.close();
    other.closeAllConnections();
    other.close();
  }
}
