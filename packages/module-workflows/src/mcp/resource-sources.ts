import type { Json, Principal } from "@oven/contract";

/** A resource of the platform's own MCP server, as clients list it. */
export interface ListedResource {
  /** Last part of its address. */
  id: string;
  title: string;
  description: string;
}

/** What a module has for clients of the platform's own MCP server to read. */
export interface ResourceSource {
  /** One is called so: `table`. */
  name: string;
  /** Part of the address: `oven://<path>/{id}`. */
  path: string;
  title: string;
  description: string;
  /** Clients without it see none of them. */
  permission: string;
  list(principal: Principal): Promise<readonly ListedResource[]>;
  /** @throws OvenError NOT_FOUND */
  read(principal: Principal, id: string): Promise<Json>;
}

/** Resources that modules bring to the platform's own MCP server. */
export class ResourceSources {
  readonly #sources: ResourceSource[] = [];

  add(source: ResourceSource): void {
    if (this.#sources.some(({ path }) => path === source.path))
      throw new Error(`There are resources at oven://${source.path} already`);
    this.#sources.push(source);
  }

  all(): readonly ResourceSource[] {
    return this.#sources;
  }
}
