import KeyOutlined from "@mui/icons-material/KeyOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const ReceiptKeysPage = lazyPage(() => import("./receipt-keys-page.tsx"), "ReceiptKeysPage");

/** The receipts of runs, and the keys that sign them. */
export const receiptsUi: UiModule = {
  resources,
  menuItems,
  icons: { "/receipt-keys": KeyOutlined },
  pages: [{ path: "/receipt-keys", element: <ReceiptKeysPage /> }],
  runAction: lazyPage(() => import("./receipt-button.tsx"), "ReceiptButton"),
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
