import type { McpServer } from "@modelcontextprotocol/server";
import { OvenError, type Principal } from "@oven/contract";
import { isTerminal } from "@oven/contract/run";
import { type RunCalls, type WorkflowFace, withPublicErrors } from "@oven/module-workflows";

const MOST = 10;
const LOOK_EVERY_MS = 2_000;
const RUN = /^oven:\/\/runs\/([1-9]\d{0,14})$/;

interface Deps {
  principal: Principal;
  face: WorkflowFace;
  calls: RunCalls;
}

/**
 * A client with a session is told when a run that it subscribed to is another. Its other resources stay as they are for as long as
 * the session lasts.
 */
export function registerSubscriptions(server: McpServer, deps: Deps): void {
  const { server: protocol } = server;
  /** The run as it was told of last; undefined for what is no run. */
  const seen = new Map<string, string | undefined>();
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    for (const [uri, before] of seen) {
      if (before === undefined) continue;
      const { now, ended } = await stateOf(uri, deps);
      if (!seen.has(uri) || now === before) continue;
      if (ended) seen.delete(uri);
      else seen.set(uri, now);
      await protocol.sendResourceUpdated({ uri });
    }
  };
  const follow = () => {
    timer ??= setInterval(() => {
      look().catch((error: unknown) => console.warn(`telling an MCP client of its runs: ${String(error)}`));
    }, LOOK_EVERY_MS).unref();
  };
  protocol.onclose = () => clearInterval(timer);
  protocol.setRequestHandler(
    "resources/subscribe",
    withPublicErrors(async ({ params: { uri } }) => {
      if (seen.size >= MOST && !seen.has(uri))
        throw new OvenError("INVALID_INPUT", `A session has ${MOST} subscriptions at most`, {
          fix: "Unsubscribe from one first.",
        });
      const isRun = RUN.test(uri);
      seen.set(uri, isRun ? (await stateOf(uri, deps)).now : undefined);
      if (isRun) follow();
      return {};
    }),
  );
  protocol.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    seen.delete(uri);
    return {};
  });
}

/** @throws OvenError NOT_FOUND, also for runs of others */
async function stateOf(uri: string, { principal, face, calls }: Deps): Promise<{ now: string; ended: boolean }> {
  const id = Number(RUN.exec(uri)?.[1]);
  await calls.requireOwn(id, "executions.read");
  const { status, outcome, completedAt } = await face.runs.reader.summary(principal, id);
  return { now: JSON.stringify([status, outcome, completedAt]), ended: isTerminal(status) };
}
