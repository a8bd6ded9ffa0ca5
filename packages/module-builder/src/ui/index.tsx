import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const RepairPage = lazyPage(() => import("./repair/repair-page.tsx"), "RepairPage");

/** Repairs of agent workflows. */
export const builderUi: UiModule = {
  resources,
  menuItems,
  icons: {},
  pages: [{ path: "/repairs/:executionId", element: <RepairPage /> }],
  runAction: lazyPage(() => import("./repair/repair-button.tsx"), "RepairRun"),
  failureAction: lazyPage(() => import("./repair/repair-button.tsx"), "RepairFailures"),
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
