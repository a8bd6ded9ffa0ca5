import ScienceOutlined from "@mui/icons-material/ScienceOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const ComparePage = lazyPage(() => import("./runs/compare-page.tsx"), "ComparePage");

/** Datasets with their cases, and evaluations of them. */
export const evalsUi: UiModule = {
  resources,
  menuItems,
  icons: { "/eval-datasets": ScienceOutlined },
  resourcePages: {
    "eval-datasets": {
      list: lazyPage(() => import("./datasets/dataset-list.tsx"), "DatasetList"),
      show: lazyPage(() => import("./datasets/dataset-show.tsx"), "DatasetShow"),
    },
    "eval-runs": { show: lazyPage(() => import("./runs/run-show.tsx"), "EvalRunShow") },
  },
  pages: [{ path: "/eval-runs/:id/compare/:other", element: <ComparePage /> }],
  runAction: lazyPage(() => import("./cases/make-case.tsx"), "MakeCase"),
  scoresPanel: lazyPage(() => import("./judges/judge-list.tsx"), "JudgeList"),
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
