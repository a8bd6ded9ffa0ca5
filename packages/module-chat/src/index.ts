export type { AskedRun, AsksFace, CallResult, KnownRun, Outcome } from "./asks/asks-face.ts";
export { createChatModule } from "./chat.module.ts";
export type { ChatsFace } from "./sessions/chats-face.ts";
