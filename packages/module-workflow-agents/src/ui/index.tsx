import AccountTreeOutlined from "@mui/icons-material/AccountTreeOutlined";
import CableOutlined from "@mui/icons-material/CableOutlined";
import PlayCircleOutlineRounded from "@mui/icons-material/PlayCircleOutlineRounded";
import PsychologyOutlined from "@mui/icons-material/PsychologyOutlined";
import { workflowPages } from "@oven/module-workflows/ui/workflow-pages.tsx";
import { AGENT_WORKFLOWS } from "@oven/ui/components/workflow-kind.ts";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const { resourcePages, pages, fullPages } = workflowPages(AGENT_WORKFLOWS);

/** Agent workflows, what they remember, and the MCP servers that offer them. */
export const agentWorkflowsUi: UiModule = {
  resources,
  menuItems,
  icons: {
    "/agent-workflows": AccountTreeOutlined,
    "/agent-workflow-executions": PlayCircleOutlineRounded,
    "/agent-memory": PsychologyOutlined,
    "/mcp-servers": CableOutlined,
  },
  resourcePages: {
    ...resourcePages,
    "agent-memory": {
      list: lazyPage(() => import("./agent-memory/memory-list.tsx"), "MemoryList"),
      show: lazyPage(() => import("./agent-memory/memory-show.tsx"), "MemoryShow"),
    },
    "mcp-servers": {
      list: lazyPage(() => import("./mcp-servers/mcp-server-list.tsx"), "McpServerList"),
      show: lazyPage(() => import("./mcp-servers/mcp-server-show.tsx"), "McpServerShow"),
    },
  },
  pages,
  fullPages,
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
