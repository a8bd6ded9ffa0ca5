import WebAssetOutlined from "@mui/icons-material/WebAssetOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const EmbedPage = lazyPage(() => import("./embed-page.tsx"), "EmbedPage");

/** Agents and workflows on pages of other sites. */
export const embedUi: UiModule = {
  resources,
  menuItems,
  icons: { "/embeds": WebAssetOutlined },
  resourcePages: {
    embeds: { list: lazyPage(() => import("./embed-list.tsx"), "EmbedList"), create: EmbedPage, edit: EmbedPage },
  },
  words: { de: () => import("../../i18n/de.json", { with: { type: "json" } }) },
};
