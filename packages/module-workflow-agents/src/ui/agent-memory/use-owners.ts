import type { User } from "@oven/contract/access";
import type { Agent } from "@oven/contract/agent";
import type { MemoryEntry } from "@oven/contract/ai";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useGetList } from "react-admin";

const BY_NAME = { pagination: { page: 1, perPage: 500 }, sort: { field: "name", order: "ASC" as const } };

/** Who can remember: an agent, or a workflow that runs without one. */
export interface MemoryOwnerChoice {
  /** `agentId:3`: the filter, and its value. */
  key: string;
  name: string;
  /** Where it is shown; agents have no page of their own. */
  to: string | null;
}

export interface Owners {
  choices: MemoryOwnerChoice[];
  ownerOf: (entry: MemoryEntry) => MemoryOwnerChoice;
  /** Whose it is: everybody's, or one person's. */
  userOf: (entry: MemoryEntry) => string;
}

function keyOf({ agentId, agentWorkflowId }: Pick<MemoryEntry, "agentId" | "agentWorkflowId">): string {
  return agentId === null ? `agentWorkflowId:${agentWorkflowId}` : `agentId:${agentId}`;
}

/** The names behind the ids of memories, as far as the caller may see them. */
export function useOwners(): Owners {
  const agents = useGetList<Agent>("agents", BY_NAME, { enabled: useCan("agents.read"), retry: false });
  const workflows = useGetList<Workflow>("agent-workflows", BY_NAME, {
    enabled: useCan("agent-workflows.read"),
    retry: false,
  });
  const users = useGetList<User>("users", BY_NAME, { enabled: useCan("users.read"), retry: false });
  const choices = [
    ...(agents.data ?? []).map(({ id, name }) => ({ key: `agentId:${id}`, name: `${name} (agent)`, to: null })),
    ...(workflows.data ?? []).map(({ id, name }) => ({
      key: `agentWorkflowId:${id}`,
      name,
      to: `/agent-workflows/${id}/show`,
    })),
  ];
  return {
    choices,
    ownerOf: (entry) => {
      const key = keyOf(entry);
      const [what, id] = key.split(":");
      const unnamed = { key, name: `${what === "agentId" ? "agent" : t("agent workflow")} ${id}`, to: null };
      return choices.find((choice) => choice.key === key) ?? unnamed;
    },
    userOf: ({ userId }) =>
      userId === null
        ? t("everybody")
        : (users.data?.find(({ id }) => id === userId)?.name ?? t("user {{userId}}", { userId })),
  };
}
