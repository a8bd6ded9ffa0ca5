import FactCheckOutlined from "@mui/icons-material/FactCheckOutlined";
import GavelOutlined from "@mui/icons-material/GavelOutlined";
import { REGULAR_WORKFLOWS } from "@oven/ui/components/workflow-kind.ts";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { useGetList } from "react-admin";
import { menuItems, resources } from "../menu.ts";
import { workflowPages } from "./workflow-pages.tsx";

const ReviewsPage = lazyPage(() => import("./reviews/reviews-page.tsx"), "ReviewsPage");
const { resourcePages, pages, fullPages } = workflowPages(REGULAR_WORKFLOWS);

const OPEN_REVIEWS = {
  filter: { status: "open" },
  pagination: { page: 1, perPage: 1 },
  sort: { field: "id", order: "ASC" as const },
};

/** Workflows, their runs and their reviews. */
export const workflowsUi: UiModule = {
  resources,
  menuItems,
  icons: {
    "/reviews": FactCheckOutlined,
    "/graph-policies": GavelOutlined,
  },
  counts: { "/reviews": () => useGetList("reviews", OPEN_REVIEWS, { refetchInterval: 15_000 }).total },
  resourcePages: {
    ...resourcePages,
    "graph-policies": { list: lazyPage(() => import("./policies/policy-list.tsx"), "PolicyList") },
  },
  pages: [...pages, { path: "/reviews", element: <ReviewsPage /> }, { path: "/reviews/:id", element: <ReviewsPage /> }],
  fullPages,
  bar: lazyPage(() => import("./reviews/held-decision-bar.tsx"), "HeldDecisionBar"),
  beforeSignOut: async () => {
    const { decisionHold } = await import("@oven/workflow-editor/review/decide.ts");
    decisionHold.flush();
  },
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
