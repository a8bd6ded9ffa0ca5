import AddRounded from "@mui/icons-material/AddRounded";
import MoreHorizRounded from "@mui/icons-material/MoreHorizRounded";
import SearchRounded from "@mui/icons-material/SearchRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import InputAdornment from "@mui/material/InputAdornment";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import type { ChatSession } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { type ReactElement, useState } from "react";
import { Link } from "react-router-dom";
import { RenameDialog } from "./rename-dialog.tsx";

export interface ChatListProps {
  sessions: readonly ChatSession[] | undefined;
  error: unknown;
  current: number | null;
  search: string;
  onSearch: (text: string) => void;
  onNew: () => void;
  onNavigate: () => void;
  onChanged: () => void;
  onDeleted: (id: number) => void;
}

/** The title of a chat; one without is named after what it is with. */
export function toTitle({ title, target }: Pick<ChatSession, "title" | "target">): string {
  return title ?? t("Chat with {{name}}", { name: target.name });
}

/** The person's chats, newest first. */
export function ChatList(props: ChatListProps): ReactElement {
  const { sessions, error, current, search, onSearch, onNew, onNavigate, onChanged, onDeleted } = props;
  const [renaming, setRenaming] = useState<ChatSession | null>(null);
  const [deleting, setDeleting] = useState<ChatSession | null>(null);
  return (
    <Box sx={{ display: "flex", flexDirection: "column", flex: 1, minHeight: 0 }}>
      <Box sx={{ display: "grid", gap: 1, p: 1.5 }}>
        <Button variant="contained" startIcon={<AddRounded />} onClick={onNew}>
          {t("New chat")}
        </Button>
        <TextField
          type="search"
          size="small"
          placeholder={t("Search chats")}
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          slotProps={{
            htmlInput: { "aria-label": t("Search chats") },
            input: {
              startAdornment: (
                <InputAdornment position="start">
                  <SearchRounded sx={{ fontSize: 18 }} />
                </InputAdornment>
              ),
            },
          }}
        />
      </Box>
      <Box component="nav" aria-label={t("Chats")} sx={{ flex: 1, overflowY: "auto", px: 1, pb: 1 }}>
        {error ? <ErrorPanel error={error} title={t("Your chats could not be read")} /> : null}
        {sessions === undefined && !error ? (
          <Box role="status" aria-label={t("Loading your chats")}>
            {[0, 1, 2, 3].map((row) => (
              <Skeleton key={row} height={44} />
            ))}
          </Box>
        ) : null}
        {sessions?.length === 0 ? (
          <Box sx={{ px: 1, fontSize: 13, color: "text.secondary" }}>
            {search === "" ? t("Your chats will stand here.") : t("No chat fits this search.")}
          </Box>
        ) : null}
        <Box
          component="ul"
          sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 0.25 }}
        >
          {(sessions ?? []).map((session) => (
            <ChatEntry
              key={session.id}
              session={session}
              current={session.id === current}
              onNavigate={onNavigate}
              onRename={() => setRenaming(session)}
              onDelete={() => setDeleting(session)}
            />
          ))}
        </Box>
      </Box>
      {renaming === null ? null : (
        <RenameDialog
          session={renaming}
          onClose={(renamed) => {
            setRenaming(null);
            if (renamed) onChanged();
          }}
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        title={t("Delete “{{name}}”?", { name: deleting === null ? "" : toTitle(deleting) })}
        text={t("All that was said in it goes. Its runs stay.")}
        confirmLabel={t("Delete")}
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          if (deleting === null) return;
          await api(`chat-sessions/${deleting.id}`, { method: "DELETE" });
          onDeleted(deleting.id);
        }}
      />
    </Box>
  );
}

function ChatEntry({
  session,
  current,
  onNavigate,
  onRename,
  onDelete,
}: {
  session: ChatSession;
  current: boolean;
  onNavigate: () => void;
  onRename: () => void;
  onDelete: () => void;
}): ReactElement {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const title = toTitle(session);
  const choose = (what: () => void) => () => {
    setAnchor(null);
    what();
  };
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        alignItems: "center",
        borderRadius: 2,
        "&:hover": { bgcolor: "action.hover" },
        ...(current && { bgcolor: "action.selected" }),
      }}
    >
      <Box
        component={Link}
        to={`/chat/${session.id}`}
        aria-current={current ? "page" : undefined}
        onClick={onNavigate}
        sx={{
          flex: 1,
          minWidth: 0,
          px: 1.25,
          py: 0.75,
          color: "text.primary",
          textDecoration: "none",
          borderRadius: 2,
        }}
      >
        <Box
          sx={{ fontSize: 13.5, fontWeight: 550, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
        >
          {title}
        </Box>
        <Box
          sx={{
            fontSize: 12,
            color: "text.secondary",
            overflow: "hidden",
            textOverflow: "ellipsis",
            whiteSpace: "nowrap",
          }}
        >
          {session.target.name} · <RelativeTime at={session.updatedAt} />
        </Box>
      </Box>
      <IconButton
        size="small"
        aria-label={t("More for “{{title}}”", { title })}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ mr: 0.5 }}
      >
        <MoreHorizRounded fontSize="small" />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem onClick={choose(onRename)}>{t("Rename…")}</MenuItem>
        <MenuItem onClick={choose(onDelete)}>{t("Delete…")}</MenuItem>
      </Menu>
    </Box>
  );
}
