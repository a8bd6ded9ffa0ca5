export { createChatModule } from "./chat.module.ts";
export type { ChatsFace } from "./sessions/chats-face.ts";
