/** The functions of every workflow format, under the name that they have in a client. */

export { createChainsClient as chains } from "./formats/chains.ts";
export { createLinearClient as linear } from "./formats/linear.ts";
export { createRoutedClient as routed } from "./formats/routed.ts";
export { createSessionsClient as sessions } from "./formats/sessions.ts";
