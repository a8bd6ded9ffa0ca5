import { t } from "@oven/i18n";
import { lazyPage } from "@oven/ui/ui-module.ts";
import type { FormatPages } from "../../format-pages.ts";

const SessionGraphPage = lazyPage(() => import("./session-graph-page.tsx"), "SessionGraphPage");
const GraphSessionPage = lazyPage(() => import("./graph-session-page.tsx"), "GraphSessionPage");

/** Sessions of session graphs: their steps, questions and state. */
export const sessionPages: FormatPages = {
  format: "session-graph",
  pages: [
    { path: "/session-graphs/:graph", element: <SessionGraphPage /> },
    { path: "/graph-sessions/:session", element: <GraphSessionPage /> },
  ],
  link: { title: () => t("Sessions"), to: (id) => `/session-graphs/${id}` },
};
