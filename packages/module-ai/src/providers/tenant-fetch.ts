import type { SecretReference } from "@oven/contract/access";
import type { OutboundService } from "@oven/module-registry";

/** Of one answer: an image, or a stream of text. */
const MAX_ANSWER_BYTES = 64 * 1_024 * 1_024;
/** A model call has a time-out of its own; this only ends what would be left behind. */
const MAX_MS = 3_600_000;
const STAND_IN = /^(.*)oven-secret:([a-z0-9._-]+)$/;

/** Stands for a secret until the request leaves: what builds requests never has its value. */
export function standInFor({ $secret, prefix = "" }: SecretReference): string {
  return `${prefix}oven-secret:${$secret}`;
}

/**
 * The way to a provider that a tenant has set up: public addresses and what the operator allows, and the tenant's secrets
 * only to the hosts they are bound to. Redirects are not followed: no API of a model has them.
 */
export function createTenantFetch(tenantId: number, outbound: OutboundService): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const headers: Record<string, string | SecretReference> = {};
    for (const [name, value] of request.headers) {
      const [, prefix, secret] = STAND_IN.exec(value) ?? [];
      headers[name] = secret === undefined ? value : { $secret: secret, prefix: prefix ?? "" };
    }
    return outbound.fetch(request.url, {
      method: request.method,
      headers,
      tenantId,
      ...(request.body === null ? {} : { body: new Uint8Array(await request.arrayBuffer()) }),
      signal: request.signal,
      timeoutMs: MAX_MS,
      maxBytes: MAX_ANSWER_BYTES,
      maxRedirects: 0,
    });
  };
}
