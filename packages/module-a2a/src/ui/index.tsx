import SmartToyOutlined from "@mui/icons-material/SmartToyOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

/** Agents of others, and who has approved them. */
export const a2aUi: UiModule = {
  resources,
  menuItems,
  icons: { "/a2a-connections": SmartToyOutlined },
  resourcePages: {
    "a2a-connections": {
      list: lazyPage(() => import("./agent-list.tsx"), "A2aConnectionList"),
      show: lazyPage(() => import("./agent-show.tsx"), "A2aConnectionShow"),
    },
  },
  words: { de: () => import("../../i18n/de.json", { with: { type: "json" } }) },
};
