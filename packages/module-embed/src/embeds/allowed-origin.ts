/**
 * Whether a page of this origin may show the embed. A wildcard stands for subdomains at any depth, on the same scheme and port, and not
 * for the host itself.
 * @param origin as the browser sends it; `null` of sandboxed pages is none
 */
export function isAllowedOrigin(allowed: readonly string[], origin: string): boolean {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false;
  const { protocol, hostname, port } = new URL(origin);
  return allowed.some((one) => {
    if (!one.includes("*")) return one === origin;
    const base = new URL(one.replace("*.", ""));
    return base.protocol === protocol && base.port === port && hostname.endsWith(`.${base.hostname}`);
  });
}
