import CampaignOutlined from "@mui/icons-material/CampaignOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const LinkAccountPage = lazyPage(() => import("./linked-accounts/link-account-page.tsx"), "LinkAccountPage");

/** What happened, for one person; and the rules by which messages are sent. */
export const notificationsUi: UiModule = {
  resources,
  menuItems,
  icons: { "/notification-rules": CampaignOutlined },
  resourcePages: {
    notifications: { list: lazyPage(() => import("./notifications/notification-list.tsx"), "NotificationList") },
    "notification-rules": {
      list: lazyPage(() => import("./notification-rules/rule-list.tsx"), "NotificationRuleList"),
    },
    "notification-deliveries": {
      list: lazyPage(() => import("./notification-rules/delivery-list.tsx"), "NotificationDeliveryList"),
    },
  },
  header: lazyPage(() => import("./notifications/notification-bell.tsx"), "NotificationBell"),
  pages: [{ path: "/link-account/:token", element: <LinkAccountPage /> }],
  accountPanel: lazyPage(() => import("./linked-accounts/account-panels.tsx"), "AccountPanels"),
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
