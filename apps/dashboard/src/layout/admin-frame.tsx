import CssBaseline from "@mui/material/CssBaseline";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { LoadingScreen } from "@oven/ui/components/loading-screen.tsx";
import { darkTheme, lightTheme } from "@oven/ui/theme/theme.ts";
import type { ReactElement } from "react";
import {
  AdminContext,
  type AdminContextProps,
  CoreAdminUI,
  type CoreAdminUIProps,
  localStorageStore,
  Notification,
} from "react-admin";
import { LoginPage } from "../access/login-page.tsx";
import { HomePage } from "../home/home-page.tsx";
import { AppLayout } from "./app-layout.tsx";
import { NotFoundPage } from "./not-found-page.tsx";

/** What the server refuses is said where it was asked; this page says it where a whole page is refused. */
function AccessDenied(): ReactElement {
  return <ErrorPanel error={new Error(t("You may not see this page"))} title={t("Not allowed")} />;
}

function SignInFailed(): ReactElement {
  return <ErrorPanel error={new Error(t("Sign in again"))} title={t("You could not be signed in")} />;
}

const PageFailed: NonNullable<CoreAdminUIProps["error"]> = ({ error, resetErrorBoundary }) => (
  <ErrorPanel error={error} title={t("This page could not be shown")} onRetry={() => resetErrorBoundary({})} />
);

/** What a person has chosen and what is not saved yet stay in this browser. */
const store = localStorageStore();

/**
 * React Admin with this dashboard's own parts. Its `Admin` would be the same with a layout, a menu and pages of its own, which are never shown here
 * and which are a fifth of the first screen's scripts.
 */
export function AdminFrame({
  dataProvider,
  authProvider,
  i18nProvider,
  children,
}: Pick<AdminContextProps, "dataProvider" | "authProvider" | "i18nProvider"> &
  Pick<CoreAdminUIProps, "children">): ReactElement {
  return (
    <AdminContext
      dataProvider={dataProvider}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
      store={store}
      lightTheme={lightTheme}
      darkTheme={darkTheme}
    >
      <CssBaseline enableColorScheme>
        <CoreAdminUI
          title="OVEN"
          accessDenied={AccessDenied}
          authCallbackPage={false}
          authenticationError={SignInFailed}
          catchAll={NotFoundPage}
          dashboard={HomePage}
          error={PageFailed}
          layout={AppLayout}
          loading={LoadingScreen}
          loginPage={LoginPage}
          requireAuth
          disableTelemetry
        >
          {children}
        </CoreAdminUI>
        <Notification />
      </CssBaseline>
    </AdminContext>
  );
}
