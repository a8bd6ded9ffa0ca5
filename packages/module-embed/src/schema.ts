export { embedConversations } from "./tables/embed-conversations.table.ts";
export { embedMessages } from "./tables/embed-messages.table.ts";
export { embedVisitors } from "./tables/embed-visitors.table.ts";
export { embeds } from "./tables/embeds.table.ts";
