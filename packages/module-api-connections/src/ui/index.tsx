import ApiOutlined from "@mui/icons-material/ApiOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

/** APIs by their documents, and which of their operations may be called here. */
export const apiConnectionsUi: UiModule = {
  resources,
  menuItems,
  icons: { "/api-connections": ApiOutlined },
  resourcePages: {
    "api-connections": {
      list: lazyPage(() => import("./connections/connection-list.tsx"), "ApiConnectionList"),
      show: lazyPage(() => import("./connections/connection-show.tsx"), "ApiConnectionShow"),
    },
  },
  accountPanel: lazyPage(() => import("./accounts/account-panel.tsx"), "ApiAccountPanel"),
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
