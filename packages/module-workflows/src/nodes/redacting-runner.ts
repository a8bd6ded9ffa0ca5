import type { Json } from "@oven/contract";
import type { NodeResult } from "@oven/contract/node";
import type { NodeCall, NodeRunner } from "@oven/engine";
import type { SecretService } from "@oven/module-registry";

/**
 * Takes the values of secrets out of everything that a node hands to its run: results, errors, events, texts and log lines.
 * A service may well answer with the credential it was called with.
 */
export function redactNodes(nodes: NodeRunner, secrets: SecretService): NodeRunner {
  const clean = async (call: NodeCall, work: (call: NodeCall) => Promise<NodeResult>): Promise<NodeResult> => {
    const { tenantId } = call.principal;
    const json = <T extends Json>(value: T): T => secrets.redact(tenantId, value);
    const guarded: NodeCall = {
      ...call,
      emit: (event, payload) => call.emit(event, json(payload)),
      log: (level, message, data) => call.log(level, json(message), data === undefined ? undefined : json(data)),
      text: (partId, chunk) => call.text(partId, json(chunk)),
      event: (name, fields) => call.event(name, json(fields)),
    };
    try {
      return json((await work(guarded)) as Json) as NodeResult; // cast: a node's result is JSON
    } catch (error) {
      throw secrets.redactError(tenantId, error);
    }
  };
  return {
    run: (call) => clean(call, (guarded) => nodes.run(guarded)),
    resume: (call, signal) => clean(call, (guarded) => nodes.resume(guarded, signal)),
    runItem: (call, item) => clean(call, (guarded) => nodes.runItem(guarded, item)),
  };
}
