import { type ChainsClient, createChainsClient } from "./chains-client.ts";
import { type ClientOptions, Http } from "./http.ts";
import { createLinearClient, type LinearClient } from "./linear-client.ts";
import { createRoutedClient, type RoutedClient } from "./routed-client.ts";
import { createSessionsClient, type SessionsClient } from "./sessions-client.ts";

export interface OvenClient {
  linear: LinearClient;
  chains: ChainsClient;
  sessions: SessionsClient;
  routed: RoutedClient;
}

export function createOvenClient(options: ClientOptions): OvenClient {
  const http = new Http(options);
  return {
    linear: createLinearClient(http),
    chains: createChainsClient(http),
    sessions: createSessionsClient(http),
    routed: createRoutedClient(http),
  };
}

export type { ChainsClient, ClientOptions, LinearClient, RoutedClient, SessionsClient };
