import { t } from "@oven/i18n";
import { lazyPage } from "@oven/ui/ui-module.ts";
import type { FormatPages } from "../../format-pages.ts";

const LinearWorkflowPage = lazyPage(() => import("./linear-workflow-page.tsx"), "LinearWorkflowPage");

/** A form for the steps of linear workflows. */
export const linearPages: FormatPages = {
  format: "linear",
  pages: [{ path: "/linear-workflows/:workflow", element: <LinearWorkflowPage /> }],
  link: { title: () => t("Steps"), to: (id) => `/linear-workflows/${id}` },
  create: {
    permission: "linear-workflows.create",
    hint: () => t("Make one step by step, or import one that was exported."),
    Dialog: lazyPage(() => import("./new-linear-dialog.tsx"), "NewLinearDialog"),
  },
};
