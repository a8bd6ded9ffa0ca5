import NotificationsNoneRounded from "@mui/icons-material/NotificationsNoneRounded";
import Badge from "@mui/material/Badge";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Popover from "@mui/material/Popover";
import type { Notification } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { useGetList } from "react-admin";
import { Link } from "react-router-dom";
import { NotificationRow } from "./notification-row.tsx";
import { useMarkRead } from "./use-mark-read.ts";

const UNREAD = {
  filter: { pending: true },
  pagination: { page: 1, perPage: 1 },
  sort: { field: "id", order: "DESC" as const },
};
const LATEST = { pagination: { page: 1, perPage: 6 }, sort: { field: "id", order: "DESC" as const } };

/** How much there is to read, and the latest of it. */
export function NotificationBell(): ReactElement | null {
  return useCan("notifications.read") ? <Bell /> : null;
}

function Bell(): ReactElement {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { total = 0 } = useGetList("notifications", UNREAD, { refetchInterval: 15_000 });
  const close = (): void => setAnchor(null);
  const bell = <NotificationsNoneRounded sx={{ fontSize: 21 }} />;
  return (
    <>
      <IconButton
        aria-label={total === 0 ? t("Notifications") : t("Notifications, {{total}} not read", { total })}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {total === 0 ? (
          bell
        ) : (
          <Badge badgeContent={total} max={total} color="primary">
            {bell}
          </Badge>
        )}
      </IconButton>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
        slotProps={{
          paper: { role: "dialog", "aria-label": "Notifications", sx: { width: 360, maxWidth: "calc(100vw - 24px)" } },
        }}
      >
        {anchor === null ? null : <Latest unread={total} onClose={close} />}
      </Popover>
    </>
  );
}

function Latest({ unread, onClose }: { unread: number; onClose: () => void }): ReactElement {
  const { data, isPending, error } = useGetList<Notification>("notifications", LATEST);
  const { markRead, markAll, failure } = useMarkRead();
  const open = (notification: Notification): void => {
    onClose();
    if (notification.readAt === null) void markRead(notification.id);
  };
  return (
    <>
      <Box
        sx={{ display: "flex", alignItems: "center", minHeight: 44, px: 2, borderBottom: 1, borderColor: "divider" }}
      >
        <Box sx={{ flex: 1, fontWeight: 650 }}>{t("Notifications")}</Box>
        {unread === 0 ? null : (
          <Button size="small" onClick={() => void markAll()}>
            {t("Mark all read")}
          </Button>
        )}
      </Box>
      {error || failure !== null ? (
        <ErrorPanel error={error ?? failure} title={t("The notifications could not be loaded or changed")} />
      ) : null}
      <Box component="ul" aria-label={t("Latest notifications")} sx={{ m: 0, p: 0, listStyle: "none" }}>
        {(data ?? []).map((notification) => (
          <Box
            component="li"
            key={notification.id}
            sx={{ display: "flex", px: 2, py: 1.25, borderBottom: 1, borderColor: "divider" }}
          >
            <NotificationRow notification={notification} onOpen={open} compact />
          </Box>
        ))}
      </Box>
      {!isPending && (data ?? []).length === 0 ? (
        <Box sx={{ px: 2, py: 3, fontSize: 13, color: "text.secondary" }}>
          {t("Nothing yet. You are told when a run of yours fails, and when a review asks you.")}
        </Box>
      ) : null}
      <Box sx={{ p: 1 }}>
        <Button component={Link} to="/notifications" fullWidth onClick={onClose}>
          {t("See all")}
        </Button>
      </Box>
    </>
  );
}
