import BuildOutlined from "@mui/icons-material/BuildOutlined";
import SmartToyOutlined from "@mui/icons-material/SmartToyOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

/** Agents with their versions and conversations, and the catalogue of tools. */
export const agentCoreUi: UiModule = {
  resources,
  menuItems,
  icons: { "/agents": SmartToyOutlined, "/tools": BuildOutlined },
  resourcePages: {
    agents: {
      list: lazyPage(() => import("./agents/agent-list.tsx"), "AgentList"),
      create: lazyPage(() => import("./agents/agent-pages.tsx"), "AgentCreate"),
      edit: lazyPage(() => import("./agents/agent-pages.tsx"), "AgentEdit"),
      show: lazyPage(() => import("./agents/agent-show.tsx"), "AgentShow"),
    },
    tools: {
      list: lazyPage(() => import("./tools/tool-list.tsx"), "ToolList"),
      edit: lazyPage(() => import("./tools/tool-show.tsx"), "ToolShow"),
    },
  },
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
