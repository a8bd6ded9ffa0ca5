import { OvenError } from "@oven/contract/error";
import type { Call } from "./call.ts";
import { readEvents } from "./events.ts";
import type { AgentReply, InvokeAgent, RunEvent } from "./generated/operations.ts";
import type { CallOptions, Http } from "./http.ts";

/** What an agent does while it answers. At last `end` with the whole reply. */
export type AgentStreamEvent =
  | { event: "run"; data: { id: number } }
  | { event: "text"; data: RunEvent & { text: string } }
  | { event: "text-discarded" | "tool-call" | "tool-result" | "tool-error" | "review"; data: RunEvent }
  | { event: "end"; data: AgentReply };

export interface AgentCalls {
  /**
   * Says something to an agent. What takes longer than `wait` seconds (default 30) is answered as it stands, with its run.
   * @param agent short name or id
   */
  invoke(agent: string | number, said: InvokeAgent, options?: CallOptions): Promise<AgentReply>;
  /**
   * As `invoke`, while it comes.
   * @throws OvenError also in the middle, when the run could not be followed
   */
  stream(agent: string | number, said: InvokeAgent, options?: CallOptions): AsyncGenerator<AgentStreamEvent>;
}

export function createAgentCalls(http: Http, call: Call): AgentCalls {
  const keyed = ({ idempotencyKey = crypto.randomUUID(), ...options }: CallOptions = {}) => ({
    ...options,
    idempotencyKey,
  });
  return {
    invoke: (agent, said, options) =>
      call("POST /agents/{slug}/invoke", { path: { slug: agent }, body: said, ...keyed(options) }),
    async *stream(agent, said, options) {
      const response = await http.open("POST", `agents/${encodeURIComponent(agent)}/invoke`, {
        body: said,
        headers: { accept: "text/event-stream" },
        ...keyed(options),
      });
      for await (const { event, data } of readEvents(response)) {
        if (event === "error") throw new OvenError(data.code, data.message, { status: 500 });
        yield { event, data } as AgentStreamEvent; // cast: as the route of the server sends them
      }
    },
  };
}
