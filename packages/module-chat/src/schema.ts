export { chatSessions } from "./tables/chat-sessions.table.ts";
export { chatTurns } from "./tables/chat-turns.table.ts";
