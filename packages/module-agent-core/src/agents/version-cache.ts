import type { AgentSettings } from "@oven/contract/agent";
import type { RunAgent } from "@oven/contract/node";

const SIZE = 500;

/** Versions of agents, which never change; the ones used last are kept. */
export class VersionCache {
  readonly #read: (agent: RunAgent) => Promise<AgentSettings>;
  readonly #kept = new Map<string, AgentSettings>();

  constructor(read: (agent: RunAgent) => Promise<AgentSettings>) {
    this.#read = read;
  }

  async get(agent: RunAgent): Promise<AgentSettings> {
    const key = `${agent.id}@${agent.version}`;
    const settings = this.#kept.get(key) ?? (await this.#read(agent));
    this.#kept.delete(key);
    this.#kept.set(key, settings);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > SIZE && oldest !== undefined) this.#kept.delete(oldest);
    return settings;
  }
}
