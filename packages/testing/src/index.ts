export { cpuMsOf, growthOf } from "./growth.ts";
export { type Credentials, invite } from "./invite.ts";
export { longNumber } from "./long-number.ts";
export { MAIL_PASSWORD, type MailServer, type ReceivedMail, startMailServer } from "./mail-server.ts";
export { type CodedLine, makePdf, type PicturePage } from "./make-pdf.ts";
export type { ModelReply, ModelScript, RecordedRequest, ScriptedToolCall } from "./model-server/model-reply.ts";
export { type ModelServer, type ModelServerOptions, startModelServer } from "./model-server/start-model-server.ts";
export { OidcProvider } from "./oidc-provider.ts";
export { startTestOven, TEST_KEY, type TestAnswer, type TestOven } from "./start-runtime.ts";
