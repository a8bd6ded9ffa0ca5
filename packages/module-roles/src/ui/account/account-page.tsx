import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { useUiModules } from "@oven/ui/ui-module.ts";
import type { ReactElement } from "react";
import { useGetIdentity } from "react-admin";
import { SecondFactorPanel } from "../second-factor/second-factor-panel.tsx";
import { ConnectedAppList } from "./connected-app-list.tsx";
import { InstalledVersion } from "./installed-version.tsx";
import { OwnData } from "./own-data.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SessionList } from "./session-list.tsx";

/** One's own password, sessions and connected programs, and what other modules let a person choose for themselves. */
export function AccountPage(): ReactElement {
  const { identity } = useGetIdentity();
  const panels = useUiModules().flatMap(({ accountPanel }) => (accountPanel === undefined ? [] : [accountPanel]));
  return (
    <>
      <PageHeader title={t("Your account")} line={identity?.email ?? ""} />
      <Box sx={{ display: "grid", gap: 2.5, maxWidth: 760 }}>
        {panels.map((Panel, index) => (
          <Panel key={index} />
        ))}
        <PasswordForm />
        <SecondFactorPanel />
        <SessionList />
        <ConnectedAppList />
        <OwnData />
        <InstalledVersion />
      </Box>
    </>
  );
}
