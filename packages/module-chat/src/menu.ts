import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [{ name: "chat-sessions", title: "Chats" }];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Start", order: 20, title: "Chat", to: "/chat", permissions: ["chats.use"] },
];
