import { A2A_PROTOCOL_VERSION } from "@a2a-js/sdk";
import { OPENS, refusalOf, type Way } from "./way.ts";

/** The A2A agent of a workflow. What a run lacks, its task says; a start that is refused has an HTTP status. */
const ofWorkflow: Way = {
  name: "A2A agent of a workflow",
  prepare: async ({ stage, author, by }) => {
    const { slug } = await stage.publish(OPENS, author, { mcpExport: true });
    const message = { messageId: stage.fresh("message"), role: "ROLE_USER", parts: [{ text: "Open" }] };
    const call = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
    const headers = { "a2a-version": A2A_PROTOCOL_VERSION };
    return async () => refusalOf(await stage.oven.call("POST", `a2a/${slug}`, call, { ...by, headers }));
  },
};

export const WAYS_OF_A2A: readonly Way[] = [ofWorkflow];
