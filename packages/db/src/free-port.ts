import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that Linux, macOS and Windows give to outgoing connections, so that none of these takes one before the server does. */
const FIRST = 20_000;
const END = 32_768;

/** A port of loopback that nothing listens on, for a server that is about to start. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, "127.0.0.1");
    await once(probe, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EADDRINUSE" || error.code === "EACCES"))
      return false;
    throw error;
  }
  probe.close();
  await once(probe, "close");
  return true;
}
