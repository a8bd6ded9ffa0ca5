export { createChatModule } from "./chat.module.ts";
