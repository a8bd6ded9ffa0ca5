export type { AskedRun, AsksFace, KnownRun, Outcome } from "./asks/asks-face.ts";
export { createChatModule } from "./chat.module.ts";
export type { ChatsFace } from "./sessions/chats-face.ts";
