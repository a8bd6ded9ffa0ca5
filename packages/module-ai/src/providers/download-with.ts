import { OvenError } from "@oven/contract";
import type { Download, ProviderSettings } from "./model-provider.ts";

/** As much as a run keeps of one thing. */
const MAX_BYTES = 64 * 1_024 * 1_024;

/** Fetches what a provider made by the provider's own way out, and no more than can be kept. */
export function downloadWith(send: ProviderSettings["fetch"] = fetch): Download {
  return async ({ url, abortSignal }) => {
    const response = await send(url.href, abortSignal === undefined ? {} : { signal: abortSignal });
    if (!response.ok || response.body === null) throw bad(`answered ${response.status} for what it made`);
    const parts: Uint8Array[] = [];
    let bytes = 0;
    // cast: a body of bytes
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += part.byteLength;
      if (bytes > MAX_BYTES) throw bad(`made something of more than ${MAX_BYTES} bytes`);
      parts.push(part);
    }
    return { data: Buffer.concat(parts), mediaType: response.headers.get("content-type") ?? undefined };
  };
}

function bad(what: string): OvenError {
  return new OvenError("MODEL_BAD_RESPONSE", `The provider ${what}`, { status: 502, retryable: true });
}
