import { notFound, OvenError } from "@oven/contract";
import type { ModelProvider } from "@oven/contract/ai";
import type { Provider } from "./model-provider.ts";
import { type TenantProviders, toModelProvider } from "./tenant-providers.ts";

/** All providers that a tenant may use: its own come before those of the environment with the same id. */
export class ProviderDirectory {
  readonly #shared: readonly Provider[];
  readonly #own: TenantProviders;

  constructor(shared: readonly Provider[], own: TenantProviders) {
    this.#shared = shared;
    this.#own = own;
  }

  /** @throws OvenError MODEL_UNKNOWN, MODEL_PROVIDER_NOT_CONFIGURED */
  async configured(tenantId: number, id: string): Promise<Provider> {
    const provider = await this.find(tenantId, id);
    if (provider === undefined) {
      const known = (await this.all(tenantId)).map((one) => one.id);
      throw new OvenError("MODEL_UNKNOWN", `There is no model provider \`${id}\``, {
        status: 422,
        fix: `A model is \`providerId:modelId\`; the providers are ${known.join(", ")}`,
      });
    }
    if (!provider.configured) {
      const own = (await this.#own.find(tenantId, id)) !== undefined;
      throw new OvenError(
        "MODEL_PROVIDER_NOT_CONFIGURED",
        `The provider ${id} is not ${own ? "enabled" : "configured"}`,
        {
          status: 422,
          fix: own
            ? "Enable it with PUT /api/ai-providers/[id]"
            : `${provider.keyHint} and start again, or add a provider with POST /api/ai-providers`,
        },
      );
    }
    return provider;
  }

  async find(tenantId: number, id: string): Promise<Provider | undefined> {
    const row = await this.#own.find(tenantId, id);
    return row === undefined ? this.#shared.find((provider) => provider.id === id) : this.#own.open(row);
  }

  /** In the order `auto` takes them: the environment's, the tenant's own, the simulated one. */
  async all(tenantId: number): Promise<Provider[]> {
    const own = (await this.#own.list(tenantId)).flatMap((row) => this.#own.open(row) ?? []);
    const shared = this.#shared.filter(({ id }) => own.every((provider) => provider.id !== id));
    return [...shared.filter(({ simulated }) => !simulated), ...own, ...shared.filter(({ simulated }) => simulated)];
  }

  async list(tenantId: number): Promise<ModelProvider[]> {
    const own = (await this.#own.list(tenantId)).map(toModelProvider);
    const shared = this.#shared.filter(({ id }) => own.every((provider) => provider.id !== id)).map(toShown);
    return [...shared, ...own];
  }

  /** @throws OvenError NOT_FOUND */
  async get(tenantId: number, id: string): Promise<ModelProvider> {
    const shown = (await this.list(tenantId)).find((provider) => provider.id === id);
    if (shown === undefined) throw notFound("provider", id);
    return shown;
  }
}

/** The operator's address may name an inner host: it is not told. */
function toShown({ id, title, kind, configured, simulated }: Provider): ModelProvider {
  return {
    id,
    title,
    kind,
    configured,
    simulated,
    source: simulated || kind === "local" ? "built-in" : "environment",
    enabled: configured,
    baseUrl: null,
    secret: null,
    headers: {},
    createdAt: null,
    updatedAt: null,
  };
}
