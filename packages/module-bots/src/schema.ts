export { botMessages } from "./tables/bot-messages.table.ts";
export { botThreads } from "./tables/bot-threads.table.ts";
export { bots } from "./tables/bots.table.ts";
