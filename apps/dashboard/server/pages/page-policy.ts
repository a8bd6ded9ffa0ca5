/** Stands in built pages where the nonce of an answer belongs. */
export const NONCE_PLACEHOLDER = "nonce-of-this-page";

/**
 * What a page may load and run: scripts and styles of this server that carry the page's nonce, and what those load themselves.
 * Nothing that a workflow, a model or a tool wrote can run, wherever it is shown.
 */
export function pagePolicy(nonce: string, dev: boolean): string {
  const directives: Record<string, string> = {
    "default-src": "'none'",
    // Development tools of the framework evaluate code and open a socket.
    "script-src": `'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src": dev ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": dev ? "'self' ws: wss:" : "'self'",
    "worker-src": "'self' blob:",
    "manifest-src": "'self'",
    "media-src": "'self' blob:",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "object-src": "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

export const PAGE_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;
