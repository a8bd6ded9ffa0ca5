import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import type { User } from "@oven/contract/access";
import type { Agent, AgentMessage, AgentSession } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { MarkdownText } from "@oven/ui/components/markdown-text.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import { Said } from "@oven/workflow-editor/conversation/chat-turn.tsx";
import type { ReactElement } from "react";
import { useGetIdentity, useGetList } from "react-admin";
import { Link as RouterLink, useSearchParams } from "react-router-dom";

const PAGE = 25;

/** Conversations with an agent, in whichever way they were held; others' for who may read them. */
export function AgentSessions({ agent }: { agent: Agent }): ReactElement {
  const [params, setParams] = useSearchParams();
  const chosen = params.get("session");
  const page = Number(params.get("page") ?? 1);
  const readsAll = useCan("conversations.read");
  const { identity } = useGetIdentity();
  const maySeePeople = useCan("users.read");
  const { data: people } = useGetList<User>(
    "users",
    { pagination: { page: 1, perPage: 500 }, sort: { field: "id", order: "ASC" } },
    { enabled: readsAll && maySeePeople },
  );
  const { data, total, error } = useGetList<AgentSession>("agent-sessions", {
    pagination: { page, perPage: PAGE },
    sort: { field: "updatedAt", order: "DESC" },
    filter: { agentId: agent.id },
  });
  const set = (more: Record<string, string | null>): void => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(more)) value === null ? next.delete(name) : next.set(name, value);
    setParams(next);
  };
  if (chosen !== null) return <Messages id={chosen} onBack={() => set({ session: null })} />;
  if (error) return <ErrorPanel error={error} title={t("The sessions could not be loaded")} />;
  if (data === undefined) return <Skeleton variant="rounded" height={120} />;
  if (data.length === 0)
    return (
      <Box sx={{ color: "text.secondary" }}>
        {readsAll
          ? t("No one has talked to it yet. Try it out in its playground.")
          : t("No one has talked to it yet, as far as you may see. Try it out in its playground.")}
      </Box>
    );
  const nameOf = (userId: number): string => people?.find(({ id }) => id === userId)?.name ?? `person #${userId}`;
  const me = identity === undefined ? null : Number(identity.id);
  return (
    <>
      <RowList label={t("Sessions")}>
        {data.map((session) => (
          <RowItem key={session.id}>
            <RowPart basis={260} grow={2}>
              <Link
                component="button"
                type="button"
                onClick={() => set({ session: String(session.id) })}
                sx={{ textAlign: "left" }}
              >
                {session.title ?? t("Session #{{id}}", { id: session.id })}
              </Link>
            </RowPart>
            <RowPart basis={120} quiet>
              {session.userId === null ? t("a service") : session.userId === me ? t("you") : nameOf(session.userId)}
            </RowPart>
            <RowPart basis={140} quiet>
              <RelativeTime at={session.updatedAt} />
            </RowPart>
          </RowItem>
        ))}
      </RowList>
      {(total ?? 0) <= PAGE ? null : (
        <Box sx={{ display: "flex", gap: 1, pt: 1.5 }}>
          <Button size="small" disabled={page <= 1} onClick={() => set({ page: String(page - 1) })}>
            {t("Newer")}
          </Button>
          <Button size="small" disabled={page * PAGE >= (total ?? 0)} onClick={() => set({ page: String(page + 1) })}>
            {t("Older")}
          </Button>
        </Box>
      )}
    </>
  );
}

function Messages({ id, onBack }: { id: string; onBack: () => void }): ReactElement {
  const { data, error } = useAnswer<AgentMessage[]>(
    `agent-sessions/${encodeURIComponent(id)}/messages?${new URLSearchParams({ range: "[0,499]" })}`,
  );
  return (
    <Box sx={{ display: "grid", gap: 2, maxWidth: 860 }}>
      <Box>
        <Button size="small" variant="outlined" onClick={onBack}>
          {t("All sessions")}
        </Button>
      </Box>
      {error ? <ErrorPanel error={error} title={t("What was said could not be loaded")} /> : null}
      {data === undefined && !error ? <Skeleton variant="rounded" height={160} /> : null}
      {(data ?? []).map(({ id: messageId, role, content, executionId, createdAt }) => (
        <Box key={messageId} sx={{ display: "grid", gap: 0.5 }}>
          {role === "user" ? <Said>{content}</Said> : <MarkdownText text={content} />}
          <Box
            sx={{
              display: "flex",
              gap: 1.25,
              fontSize: 12.5,
              color: "text.secondary",
              justifySelf: role === "user" ? "end" : "start",
            }}
          >
            {executionId === null ? null : (
              <Link component={RouterLink} to={runPath("agent-workflow", executionId)}>
                {t("Run #{{id}}", { id: executionId })}
              </Link>
            )}
            <RelativeTime at={createdAt} />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
