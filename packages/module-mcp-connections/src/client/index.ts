export { connectHttp, type HttpServer } from "./connect-http.ts";
export type { ServerSession, ToolCallAnswer } from "./server-session.ts";
export { createSignIn, type SignIn, type SignInMemory } from "./sign-in.ts";
export { finishSignIn } from "./sign-in-flow.ts";
