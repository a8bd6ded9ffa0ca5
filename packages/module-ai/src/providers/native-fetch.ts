/** The fetch of the platform, taken before a web framework in the same process replaces the global with a caching one. */
export const nativeFetch: typeof fetch = globalThis.fetch.bind(globalThis);
