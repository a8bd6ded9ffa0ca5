import type { BuiltServer } from "./built-server.ts";

export interface FollowedRun {
  /** How many entries of the log came. */
  events: number;
  /** Whether each came once and in order, from the first to the end. */
  complete: boolean;
}

/**
 * Reads a run's log as server-sent events until the server closes the stream.
 * @param onOpen called once the server has answered
 * @throws Error when it does not open
 */
export async function followRun(server: BuiltServer, run: number, onOpen: () => void = () => {}): Promise<FollowedRun> {
  const response = await fetch(`${server.url}/workflow-executions/${run}/events`, {
    headers: { ...server.headers, accept: "text/event-stream" },
  });
  if (!response.ok || response.body === null) throw new Error(`the events of run ${run} answered ${response.status}`);
  onOpen();
  const decoder = new TextDecoder();
  const followed = { events: 0, complete: true };
  let rest = "";
  let last = 0;
  let event = "";
  for await (const chunk of response.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("event: ")) event = line.slice("event: ".length);
      if (!line.startsWith("id: ")) continue;
      const seq = Number(line.slice("id: ".length));
      followed.events += 1;
      followed.complete &&= seq === last + 1;
      last = seq;
    }
  }
  return { events: followed.events, complete: followed.complete && event === "end" };
}
