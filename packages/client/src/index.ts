import { type ChainsClient, createChainsClient } from "./chains-client.ts";
import { type ClientOptions, Http } from "./http.ts";
import { createLinearClient, type LinearClient } from "./linear-client.ts";
import { createSessionsClient, type SessionsClient } from "./sessions-client.ts";

export interface OvenClient {
  linear: LinearClient;
  chains: ChainsClient;
  sessions: SessionsClient;
}

export function createOvenClient(options: ClientOptions): OvenClient {
  const http = new Http(options);
  return { linear: createLinearClient(http), chains: createChainsClient(http), sessions: createSessionsClient(http) };
}

export type { ChainsClient, ClientOptions, LinearClient, SessionsClient };
