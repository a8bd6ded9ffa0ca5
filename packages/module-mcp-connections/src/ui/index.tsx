import HubOutlined from "@mui/icons-material/HubOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

/** MCP servers of others, and what their tools may do here. */
export const mcpConnectionsUi: UiModule = {
  resources,
  menuItems,
  icons: { "/mcp-connections": HubOutlined },
  resourcePages: {
    "mcp-connections": {
      list: lazyPage(() => import("./mcp-connections/connection-list.tsx"), "McpConnectionList"),
      show: lazyPage(() => import("./mcp-connections/connection-show.tsx"), "McpConnectionShow"),
    },
  },
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
