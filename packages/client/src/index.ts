import { type ClientOptions, Http } from "./http.ts";
import { createLinearClient, type LinearClient } from "./linear-client.ts";

export interface OvenClient {
  linear: LinearClient;
}

export function createOvenClient(options: ClientOptions): OvenClient {
  return { linear: createLinearClient(new Http(options)) };
}

export type { ClientOptions, LinearClient };
