import type { Agent } from "@oven/contract/agent";
import type { ExecutionSummary } from "@oven/contract/run";
import { type ActionState, useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useState } from "react";
import { useGetList, useStore } from "react-admin";
import type { Running } from "../running/use-running.ts";

interface ConversationState {
  sessionId: number | null;
  /** Slug of the agent that is spoken for. */
  agent: string | null;
}

export interface TestConversation {
  /** Ids of its runs in order; one that was continued is told by the newer one. */
  turns: readonly number[];
  error: unknown;
  /** What is being sent. */
  sending: string | null;
  say: ActionState<[string]>;
  /** Begins a new one. */
  begin: () => void;
  agents: readonly Agent[];
  agent: string | null;
  /** Another agent is another conversation. */
  setAgent: (slug: string | null) => void;
}

const NEW: ConversationState = { sessionId: null, agent: null };

/** A test conversation with the draft. This browser remembers which one; what was said is read from its runs. */
export function useConversation(kind: WorkflowKind, workflowId: number, running: Running): TestConversation {
  const [kept, setStored] = useStore<ConversationState>(`editor.conversation.${kind.resource}.${workflowId}`, NEW);
  const [sending, setSending] = useState<string | null>(null);
  const { data, error } = useGetList<ExecutionSummary>(
    kind.executionResource,
    {
      pagination: { page: 1, perPage: 200 },
      sort: { field: "id", order: "ASC" },
      filter: { sessionId: kept.sessionId },
      // Another run was started: it may be a turn of it.
      meta: { shown: running.shown.id },
    },
    { enabled: kept.sessionId !== null, placeholderData: (before: unknown) => before as never }, // cast: the list as it was
  );
  const say = useAction(async (message: string) => {
    setSending(message);
    try {
      const { sessionId } = await running.say({
        message,
        ...(kept.sessionId === null ? {} : { sessionId: kept.sessionId }),
        ...(kept.agent === null ? {} : { agent: kept.agent }),
      });
      setStored({ ...kept, sessionId });
    } finally {
      setSending(null);
    }
  });
  const mayInvoke = useCan("agents.invoke");
  const { data: agents = [] } = useGetList<Agent>(
    "agents",
    { pagination: { page: 1, perPage: 200 }, sort: { field: "name", order: "ASC" } },
    { enabled: mayInvoke, retry: false },
  );
  const again = new Set(data?.map(({ retryOf }) => retryOf));
  const begin = (agent: string | null): void => {
    setStored({ sessionId: null, agent });
    say.reset();
  };
  return {
    turns: kept.sessionId === null ? [] : (data ?? []).flatMap(({ id }) => (again.has(id) ? [] : [id])),
    error,
    sending,
    say,
    begin: () => begin(kept.agent),
    agents: agents.filter((agent) => (agent.workflowId ?? agent.runsWorkflowId) === workflowId),
    agent: kept.agent,
    setAgent: begin,
  };
}
