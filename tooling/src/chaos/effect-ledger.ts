import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

export interface Effect {
  key: string;
  executionId: number;
  nodeId: string;
  visit: number;
  item: string | null;
  effect: string;
  /** The process that made the call. */
  pid: number;
}

export interface EffectLedger {
  url: string;
  /** In the order in which they arrived. */
  readonly effects: Effect[];
  /** Called for each effect once it is written down; its answer is sent when the promise resolves. */
  onEffect: (effect: Effect) => Promise<void>;
  close(): Promise<void>;
}

/** The world outside: writes every call down with its key before it answers, and answers a key always alike. */
export async function startLedger(): Promise<EffectLedger> {
  const effects: Effect[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The caller died while it was sending: there was no call.
      response.destroy();
      return;
    }
    const key = String(request.headers["idempotency-key"]);
    const sent = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Omit<Effect, "key">; // cast: written by the chaos module
    const effect = { ...sent, key };
    effects.push(effect);
    await ledger.onEffect(effect);
    answer(response, { value: key.slice(0, 8) });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const ledger: EffectLedger = {
    url: `http://127.0.0.1:${port}/`,
    effects,
    onEffect: async () => {},
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return ledger;
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
