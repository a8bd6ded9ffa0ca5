import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { useGetIdentity } from "react-admin";
import { PageHeader } from "../../components/page-header.tsx";
import { useCan } from "../../components/use-can.ts";
import { ConnectedAppList } from "./connected-app-list.tsx";
import { NotificationPreferencesForm } from "./notification-preferences.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SessionList } from "./session-list.tsx";

/** One's own notifications, password, sessions and connected programs. */
export function AccountPage(): ReactElement {
  const { identity } = useGetIdentity();
  const isNotified = useCan("notifications.read");
  return (
    <>
      <PageHeader title={t("Your account")} line={identity?.email ?? ""} />
      <Box sx={{ display: "grid", gap: 2.5, maxWidth: 760 }}>
        {isNotified ? <NotificationPreferencesForm /> : null}
        <PasswordForm />
        <SessionList />
        <ConnectedAppList />
      </Box>
    </>
  );
}
