import MenuOpenRounded from "@mui/icons-material/MenuOpenRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Drawer from "@mui/material/Drawer";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { ChatSession } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { ChatConversation } from "@oven/workflow-editor/conversation/chat-conversation.tsx";
import { ChatList, toTitle } from "@oven/workflow-editor/conversation/chat-list.tsx";
import { type ReactElement, useEffect, useState } from "react";
import { useGetList, useGetOne } from "react-admin";
import { useNavigate, useParams } from "react-router-dom";
import { NewChat } from "./new-chat.tsx";

const WIDTH = 272;

/** Chats: all of them at the left, one beside them. */
export function ChatPage(): ReactElement {
  const { id: named } = useParams();
  const id = named === undefined ? null : Number(named);
  const navigate = useNavigate();
  const narrow = useIsNarrow();
  const [drawer, setDrawer] = useState(false);
  const [search, setSearch] = useState("");
  const {
    data: sessions,
    error,
    refetch,
  } = useGetList<ChatSession>(
    "chat-sessions",
    {
      pagination: { page: 1, perPage: 100 },
      sort: { field: "updatedAt", order: "DESC" },
      filter: search.trim() === "" ? {} : { q: search.trim() },
    },
    { placeholderData: (before: unknown) => before as never }, // cast: the list as it was
  );
  const { data: session, error: missing } = useGetOne<ChatSession>(
    "chat-sessions",
    { id: id ?? 0 },
    { enabled: id !== null, retry: false },
  );
  const shown = id !== null && session?.id === id ? session : undefined;
  const title = sessions?.find((one) => one.id === id) ?? shown;
  useEffect(() => {
    document.title = `${title === undefined ? "Chat" : toTitle(title)} · OVEN`;
  }, [title]);
  const list = (
    <ChatList
      sessions={sessions}
      error={error}
      current={id}
      search={search}
      onSearch={setSearch}
      onNew={() => {
        setDrawer(false);
        navigate("/chat");
      }}
      onNavigate={() => setDrawer(false)}
      onChanged={() => void refetch()}
      onDeleted={(deleted) => {
        if (deleted === id) navigate("/chat");
        void refetch();
      }}
    />
  );
  return (
    <Box
      sx={{
        display: "flex",
        height: { xs: "calc(100dvh - 52px)", md: "100dvh" },
        mx: { xs: -2, md: -4 },
        my: { xs: -2, md: -3 },
        minHeight: 360,
      }}
    >
      {narrow ? (
        <Drawer
          open={drawer}
          onClose={() => setDrawer(false)}
          slotProps={{ paper: { sx: { width: 300, display: "flex" } } }}
        >
          {list}
        </Drawer>
      ) : (
        <Box sx={{ display: "flex", flex: "none", width: WIDTH, borderRight: 1, borderColor: "divider" }}>{list}</Box>
      )}
      <Box sx={{ display: "flex", flexDirection: "column", flex: 1, minWidth: 0 }}>
        <Box
          component="header"
          sx={{
            display: "flex",
            alignItems: "center",
            gap: 1,
            px: { xs: 1.5, md: 3 },
            minHeight: 52,
            borderBottom: 1,
            borderColor: "divider",
          }}
        >
          {narrow ? (
            <Button size="small" startIcon={<MenuOpenRounded />} onClick={() => setDrawer(true)}>
              {t("Chats")}
            </Button>
          ) : null}
          <Typography
            variant="h2"
            component="h1"
            sx={{ minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
          >
            {id === null ? t("New chat") : title === undefined ? t("Chat") : toTitle(title)}
          </Typography>
          {shown === undefined ? null : (
            <Box sx={{ flex: "none", fontSize: 13, color: "text.secondary", display: { xs: "none", sm: "block" } }}>
              {shown.target.name}
            </Box>
          )}
        </Box>
        {id === null ? (
          <NewChat
            onBegun={(begun) => {
              void refetch();
              navigate(`/chat/${begun.id}`);
            }}
          />
        ) : missing ? (
          <Box sx={{ p: 2 }}>
            <ErrorPanel error={missing} title={t("This chat cannot be shown")} />
          </Box>
        ) : shown === undefined ? (
          <Skeleton height={120} sx={{ m: 2 }} aria-label={t("Loading the chat")} />
        ) : (
          <ChatConversation key={shown.id} session={shown} onNews={() => void refetch()} />
        )}
      </Box>
    </Box>
  );
}
