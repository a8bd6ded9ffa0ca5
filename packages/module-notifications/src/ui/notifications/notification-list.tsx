import DoneAllRounded from "@mui/icons-material/DoneAllRounded";
import NotificationsNoneRounded from "@mui/icons-material/NotificationsNoneRounded";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { Notification } from "@oven/contract/system";
import { t, tx } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RowItem, RowList } from "@oven/ui/components/row-item.tsx";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { KIND_WORDS, KINDS } from "./kind-words.ts";
import { NotificationRow } from "./notification-row.tsx";
import { useMarkRead } from "./use-mark-read.ts";

const KIND_CHOICES = KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));

/** What one was told. */
export function NotificationList(): ReactElement {
  const { markRead, markAll, busy, failure } = useMarkRead();
  return (
    <ListBase resource="notifications" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader
        title={t("Notifications")}
        line={
          <span>
            {tx("Which notifications you get, and how, is set on {{link}}.", {
              link: (
                <Link component={RouterLink} to="/account" sx={{ textDecoration: "underline" }}>
                  {t("your account page")}
                </Link>
              ),
            })}
          </span>
        }
        actions={
          <Button variant="outlined" startIcon={<DoneAllRounded />} loading={busy} onClick={() => void markAll()}>
            {t("Mark all read")}
          </Button>
        }
      />
      {failure === null ? null : <ErrorPanel error={failure} title={t("They were not marked read")} />}
      <ListBody
        noun={t("notifications")}
        filters={
          <>
            <SearchField label={t("Search notifications")} />
            <FilterChips field="kind" label={t("About")} choices={KIND_CHOICES} />
          </>
        }
        empty={
          <EmptyState
            icon={<NotificationsNoneRounded />}
            title={t("Nothing to tell yet")}
            text={t("You are told when a run of yours fails, and when a review asks you.")}
          />
        }
      >
        <Rows onRead={(id) => void markRead(id)} />
      </ListBody>
    </ListBase>
  );
}

function Rows({ onRead }: { onRead: (id: number) => void }): ReactElement {
  const { data } = useListContext<Notification>();
  return (
    <RowList label={t("Notifications")}>
      {(data ?? []).map((notification) => (
        <RowItem key={notification.id}>
          <NotificationRow
            notification={notification}
            onOpen={({ id, readAt }) => {
              if (readAt === null) onRead(id);
            }}
          />
          {notification.readAt === null ? (
            <Button
              size="small"
              aria-label={t("Mark read: {{subject}}", { subject: notification.subject })}
              onClick={() => onRead(notification.id)}
            >
              {t("Mark read")}
            </Button>
          ) : null}
        </RowItem>
      ))}
    </RowList>
  );
}
