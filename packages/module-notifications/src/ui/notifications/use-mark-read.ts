import { api } from "@oven/ui/api/api-client.ts";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useRefresh } from "react-admin";

/** Marks notifications read, and loads what shows them anew. */
export function useMarkRead(): {
  markRead: (id: number) => Promise<boolean>;
  markAll: () => Promise<boolean>;
  busy: boolean;
  failure: unknown;
} {
  const refresh = useRefresh();
  const { run, busy, failure } = useAction(async (id: number | "all") => {
    await api(id === "all" ? "notifications/read" : `notifications/${id}/read`, { method: "POST", body: {} });
    refresh();
  });
  return { markRead: run, markAll: () => run("all"), busy, failure };
}
