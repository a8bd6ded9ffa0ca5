import DnsOutlined from "@mui/icons-material/DnsOutlined";
import LockOutlined from "@mui/icons-material/LockOutlined";
import SensorsRounded from "@mui/icons-material/SensorsRounded";
import TuneRounded from "@mui/icons-material/TuneRounded";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const SystemPage = lazyPage(() => import("./system/system-page.tsx"), "SystemPage");

/** Secrets, the configuration, the event log, and the state of the installation. */
export const systemUi: UiModule = {
  resources,
  menuItems,
  icons: {
    "/secrets": LockOutlined,
    "/module-configs": TuneRounded,
    "/events": SensorsRounded,
    "/system": DnsOutlined,
  },
  resourcePages: {
    secrets: { list: lazyPage(() => import("./secrets/secret-list.tsx"), "SecretList") },
    "module-configs": { list: lazyPage(() => import("./config/config-page.tsx"), "ConfigPage") },
    events: { list: lazyPage(() => import("./events/event-list.tsx"), "EventList") },
  },
  pages: [{ path: "/system", element: <SystemPage /> }],
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
