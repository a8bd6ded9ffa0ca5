import type { ProtectedServers } from "@oven/module-registry";

const PREFIX = "/api/mcp/";

/** The parts of the platform that take OAuth tokens; modules add theirs when they start. */
export class ProtectedAddresses {
  readonly #all: ProtectedServers[] = [];
  readonly #publicUrl: string;

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl.replace(/\/$/, "");
  }

  add(servers: ProtectedServers): void {
    this.#all.push(servers);
  }

  /** The audience of a token for this address, and who knows of it. Undefined: no tokens are taken there. */
  at(pathname: string): { resource: string; path: string; servers: ProtectedServers } | undefined {
    if (!pathname.startsWith(PREFIX)) return undefined;
    const path = pathname.slice(PREFIX.length);
    const servers = this.#all.find((one) => one.matches(path));
    return servers === undefined ? undefined : { resource: `${this.#publicUrl}${pathname}`, path, servers };
  }

  /** As `at`, of the address as a client names it. */
  named(resource: string): ReturnType<ProtectedAddresses["at"]> {
    if (!resource.startsWith(`${this.#publicUrl}/`)) return undefined;
    return this.at(resource.slice(this.#publicUrl.length));
  }

  /** RFC 9728 §3.1: between the host and the path. */
  metadataUrl(pathname: string): string {
    return `${this.#publicUrl}/.well-known/oauth-protected-resource${pathname}`;
  }

  /** Everything that any of them asks for. */
  scopes(): string[] {
    return [...new Set(this.#all.flatMap((servers) => servers.scopes()))].toSorted();
  }
}
