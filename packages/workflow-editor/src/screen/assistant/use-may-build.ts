import { useCan } from "@oven/ui/components/use-can.ts";

/** Whether the person may talk to the assistant that builds agent workflows. */
export function useMayBuild(): boolean {
  const mayUse = useCan("builder.use");
  const mayUpdate = useCan("agent-workflows.update");
  const mayRun = useCan("agent-workflows.execute");
  const mayChat = useCan("chats.use");
  return mayUse && mayUpdate && mayRun && mayChat;
}
