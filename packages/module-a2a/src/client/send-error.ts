import { isOvenError, OvenError } from "@oven/contract";
import { mayHaveArrived } from "@oven/module-registry";
import { connectionFailed, type Sent } from "./agent-client.ts";

/** Why a message was not answered, and whether it may have arrived. */
export function toSendError(name: string, error: unknown, sent: Sent): OvenError {
  if (sent.error !== undefined)
    return mayHaveArrived(sent.error) || !isOvenError(sent.error) ? callLost(name, sent.error) : sent.error;
  const { status = 0 } = sent;
  if (status >= 500) return callLost(name, error);
  if (status === 401 || status === 403)
    return connectionFailed(name, "it does not let OVEN in", "Check the secret of the connection.");
  if (status >= 400) return connectionFailed(name, `it answers ${status}`, "Look at the connection.");
  // The answer broke off while it was read.
  if (isOvenError(error)) return mayHaveArrived(error) ? callLost(name, error) : error;
  return taskFailed(name, error instanceof Error ? error.message : String(error));
}

/** @param said what the agent said */
export function taskFailed(name: string, said: string): OvenError {
  return new OvenError("A2A_TASK_FAILED", `The agent ${name} has not done it: ${said.slice(0, 2_000)}`, {
    status: 502,
    fix: "Go on without it, or ask it otherwise",
  });
}

function callLost(name: string, cause: unknown): OvenError {
  return new OvenError("A2A_CALL_LOST", `The connection to ${name} was lost; the message may have arrived`, {
    status: 502,
    uncertain: true,
    fix: "Look at the agent whether it has begun before you send the message again.",
    cause,
  });
}
