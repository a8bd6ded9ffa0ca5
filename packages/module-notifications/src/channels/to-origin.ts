import type { RuntimeEnvironment } from "@oven/module-registry";

/** https, but for what an operator allows without. */
export function toOrigin(host: string, { outboundAllow }: Pick<RuntimeEnvironment, "outboundAllow">): string {
  return outboundAllow.includes(`http://${host}`) ? `http://${host}` : `https://${host}`;
}
