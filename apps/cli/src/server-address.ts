import type { ServerEnvironment } from "@oven/installation/environment";

/** Where a server that runs with this environment is reached from its own machine: one that listens on all addresses, on the loopback address. */
export function serverAddress({ host, port }: Pick<ServerEnvironment, "host" | "port">): string {
  return `http://${toReachable(host)}:${port}`;
}

function toReachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
