import ForumOutlined from "@mui/icons-material/ForumOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const ChatPage = lazyPage(() => import("./chat/chat-page.tsx"), "ChatPage");

/** Chats with agents and workflows. */
export const chatUi: UiModule = {
  resources,
  menuItems,
  icons: { "/chat": ForumOutlined },
  pages: [
    { path: "/chat", element: <ChatPage /> },
    { path: "/chat/:id", element: <ChatPage /> },
  ],
  words: { de: () => import("../../i18n/de.json", { with: { type: "json" } }) },
};
