import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

/** The receipts of runs. */
export const receiptsUi: UiModule = {
  resources,
  menuItems,
  icons: {},
  runAction: lazyPage(() => import("./receipt-button.tsx"), "ReceiptButton"),
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
