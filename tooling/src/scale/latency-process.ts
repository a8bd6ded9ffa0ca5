import { z } from "zod";
import { connectDatabase } from "../../../packages/db/src/index.ts";
import { readEnvironment } from "../../../packages/installation/src/environment.ts";
import { installedModules } from "../../../packages/installation/src/modules.ts";
import { createRuntime, defineModule, defineNode, done } from "../../../packages/module-registry/src/index.ts";
import { LATENCY_KEY, type LatencyAnswer, type LatencyRequest, monotonicMs, NOTED_STEP } from "./latency-wire.ts";

/* A server without a port, which is told by messages what to do and says when its nodes were called. */
const environment = readEnvironment(process.env, false);
const db = await connectDatabase({ url: environment.databaseUrl, dataDir: environment.dataDir });
const noted = defineModule({
  name: "module-measure",
  namespace: "measure",
  description: "A step with an effect that says when it was called.",
  dependencies: [],
  nodes: [
    defineNode({
      id: NOTED_STEP,
      version: 1,
      title: "Noted step",
      docs: "Says when it was called.",
      category: "core",
      kind: "data",
      effect: "at-least-once",
      input: z.strictObject({ hold: z.boolean().default(false).describe("Never ends") }),
      output: z.object({}),
      run: async ({ input, node }) => {
        say({ called: node.executionId, at: monotonicMs() });
        if (input.hold) await new Promise(() => undefined);
        return done({});
      },
    }),
  ],
});
const runtime = await createRuntime({
  db,
  modules: [...installedModules({ demo: false }), noted],
  environment: { ...environment, bootstrapApiKey: LATENCY_KEY },
});
const headers = { authorization: `Bearer ${LATENCY_KEY}`, "content-type": "application/json" };
const { principal } = (await runtime.services.authenticate(new Request(environment.publicUrl, { headers }))) ?? {};
if (principal === undefined) throw new Error("the key of the measurement is not known");

process.on("message", async (request: LatencyRequest) => {
  const startedAt = monotonicMs();
  if ("decide" in request) {
    const { reviewId, digest } = request.decide;
    await runtime.services.workflowPlatform.reviews.decide(principal, reviewId, { action: "approve", digest });
    say({ done: null, startedAt });
    return;
  }
  if ("start" in request) {
    const { runs } = runtime.services.workflowPlatform.face("agent-workflow");
    const { workflow } = request.start;
    const { id } = await runs.execute(principal, { workflow, input: {} });
    say({ done: { id }, startedAt });
    return;
  }
  const { method, path, body } = request;
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await runtime.fetch(new Request(`${environment.publicUrl}/api/${path}`, init));
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  say({ done: text === "" ? null : JSON.parse(text), startedAt });
});
say({ ready: true });

function say(answer: LatencyAnswer): void {
  process.send?.(answer);
}
