import DescriptionOutlined from "@mui/icons-material/DescriptionOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const FormatsPage = lazyPage(() => import("./formats-page.tsx"), "FormatsPage");
const LinearWorkflowPage = lazyPage(() => import("./linear/linear-workflow-page.tsx"), "LinearWorkflowPage");
const SessionGraphPage = lazyPage(() => import("./session-graph-page.tsx"), "SessionGraphPage");
const GraphSessionPage = lazyPage(() => import("./graph-session-page.tsx"), "GraphSessionPage");

/** Workflows that are written in another format than graphs of states. */
export const formatsUi: UiModule = {
  resources,
  menuItems,
  icons: { "/workflow-formats": DescriptionOutlined },
  pages: [
    { path: "/workflow-formats", element: <FormatsPage /> },
    { path: "/linear-workflows/:workflow", element: <LinearWorkflowPage /> },
    { path: "/session-graphs/:graph", element: <SessionGraphPage /> },
    { path: "/graph-sessions/:session", element: <GraphSessionPage /> },
  ],
  words: { de: () => import("../../i18n/de.json", { with: { type: "json" } }) },
};
