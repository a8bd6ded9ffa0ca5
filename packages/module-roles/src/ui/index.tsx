import ApartmentOutlined from "@mui/icons-material/ApartmentOutlined";
import AppsOutlined from "@mui/icons-material/AppsOutlined";
import BadgeOutlined from "@mui/icons-material/BadgeOutlined";
import GroupOutlined from "@mui/icons-material/GroupOutlined";
import HistoryRounded from "@mui/icons-material/HistoryRounded";
import KeyOutlined from "@mui/icons-material/KeyOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const AccountPage = lazyPage(() => import("./account/account-page.tsx"), "AccountPage");

/** People, what they may do, and what they did. */
export const rolesUi: UiModule = {
  resources,
  menuItems,
  icons: {
    "/users": GroupOutlined,
    "/tenants": ApartmentOutlined,
    "/roles": BadgeOutlined,
    "/api-keys": KeyOutlined,
    "/connected-apps": AppsOutlined,
    "/audit-log": HistoryRounded,
  },
  resourcePages: {
    users: { list: lazyPage(() => import("./users/user-list.tsx"), "UserList") },
    tenants: { list: lazyPage(() => import("./tenants/tenant-list.tsx"), "TenantList") },
    roles: {
      list: lazyPage(() => import("./roles/role-list.tsx"), "RoleList"),
      create: lazyPage(() => import("./roles/role-pages.tsx"), "RoleCreate"),
      edit: lazyPage(() => import("./roles/role-pages.tsx"), "RoleEdit"),
    },
    "api-keys": { list: lazyPage(() => import("./api-keys/api-key-list.tsx"), "ApiKeyList") },
    "connected-apps": { list: lazyPage(() => import("./connected-apps/others-app-list.tsx"), "OthersAppList") },
    "audit-log": { list: lazyPage(() => import("./audit-log/audit-log-list.tsx"), "AuditLogList") },
  },
  pages: [{ path: "/account", element: <AccountPage /> }],
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
