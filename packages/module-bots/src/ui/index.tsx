import ForumOutlined from "@mui/icons-material/ForumOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

/** Bots in Slack and Microsoft Teams, and who answers for them. */
export const botsUi: UiModule = {
  resources,
  menuItems,
  icons: { "/bots": ForumOutlined },
  resourcePages: {
    bots: {
      list: lazyPage(() => import("./bot-list.tsx"), "BotList"),
      show: lazyPage(() => import("./bot-show.tsx"), "BotShow"),
    },
  },
  words: { de: () => import("../../i18n/de.json", { with: { type: "json" } }) },
};
