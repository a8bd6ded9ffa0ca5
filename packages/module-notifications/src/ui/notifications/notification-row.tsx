import Box from "@mui/material/Box";
import type { Notification } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import type { ReactElement } from "react";
import { Link } from "react-router-dom";
import { KindIcon } from "./kind-look.tsx";

/** One notification: its subject leads to the page it is about. */
export function NotificationRow({
  notification,
  onOpen,
  compact = false,
}: {
  notification: Notification;
  onOpen: (notification: Notification) => void;
  compact?: boolean;
}): ReactElement {
  const { kind, subject, text, link, readAt, createdAt } = notification;
  const unread = readAt === null;
  return (
    <Box sx={{ display: "flex", gap: 1.5, alignItems: "flex-start", minWidth: 0, flex: "1 1 260px" }}>
      <KindIcon kind={kind} />
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Box
          component={Link}
          to={link}
          onClick={() => onOpen(notification)}
          sx={{
            color: "text.primary",
            fontWeight: unread ? 700 : 500,
            fontSize: 13.5,
            textDecoration: "none",
            overflowWrap: "anywhere",
            "&:hover": { textDecoration: "underline" },
          }}
        >
          {subject}
        </Box>
        {unread ? (
          <Box
            component="span"
            role="img"
            aria-label={t("not read yet")}
            sx={{ display: "inline-block", ml: 0.75, width: 8, height: 8, borderRadius: 4, bgcolor: "primary.main" }}
          />
        ) : null}
        {compact ? null : (
          <Box sx={{ fontSize: 13, color: "text.secondary", overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            {text}
          </Box>
        )}
        <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
          <RelativeTime at={createdAt} />
        </Box>
      </Box>
    </Box>
  );
}
