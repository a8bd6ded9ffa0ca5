import BoltOutlined from "@mui/icons-material/BoltOutlined";
import PodcastsRounded from "@mui/icons-material/PodcastsRounded";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

/** Triggers, their deliveries, event subscriptions, and the forms that strangers fill in. */
export const triggersUi: UiModule = {
  resources,
  menuItems,
  icons: { "/triggers": BoltOutlined, "/event-subscriptions": PodcastsRounded },
  resourcePages: {
    triggers: {
      list: lazyPage(() => import("./triggers/trigger-list.tsx"), "TriggerList"),
      create: lazyPage(() => import("./triggers/trigger-pages.tsx"), "TriggerCreate"),
      edit: lazyPage(() => import("./triggers/trigger-pages.tsx"), "TriggerEdit"),
      show: lazyPage(() => import("./triggers/trigger-show.tsx"), "TriggerShow"),
    },
    "event-subscriptions": {
      list: lazyPage(() => import("./subscriptions/subscription-list.tsx"), "SubscriptionList"),
      show: lazyPage(() => import("./subscriptions/subscription-show.tsx"), "SubscriptionShow"),
    },
  },
  newTrigger: lazyPage(() => import("./triggers/new-trigger-sheet.tsx"), "NewTriggerSheet"),
  words: { de: () => import("../../i18n/de.json", { with: { type: "json" } }) },
};
