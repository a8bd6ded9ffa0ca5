import TableChartOutlined from "@mui/icons-material/TableChartOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

/** Tables with their rows, and what agents may do with them. */
export const tablesUi: UiModule = {
  resources,
  menuItems,
  icons: { "/tables": TableChartOutlined },
  resourcePages: {
    tables: {
      list: lazyPage(() => import("./table-list.tsx"), "TableList"),
      show: lazyPage(() => import("./table-show.tsx"), "TableShow"),
    },
  },
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
