import type { ReactElement } from "react";
import { NotificationPanel } from "../notifications/notification-preferences.tsx";
import { LinkedAccountPanel } from "./linked-account-panel.tsx";

/** What this module adds to the account page. */
export function AccountPanels(): ReactElement {
  return (
    <>
      <NotificationPanel />
      <LinkedAccountPanel />
    </>
  );
}
