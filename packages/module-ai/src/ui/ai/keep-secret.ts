import type { Secret } from "@oven/contract/access";
import { api } from "@oven/ui/api/api-client.ts";

/** Keeps a value under a name, for these hosts only; one of the name gets the new value, and stays bound to its other hosts. */
export async function keepSecret(name: string, value: string, hosts: readonly string[]): Promise<void> {
  const query = { filter: JSON.stringify({ name }) };
  const { json } = await api("secrets", { query });
  const [known] = json as Secret[]; // cast: the shape of the route
  if (known === undefined) await api("secrets", { method: "POST", body: { name, value, hosts } });
  else {
    const all = [...new Set([...known.hosts, ...hosts])];
    await api(`secrets/${known.id}`, { method: "PUT", body: { value, hosts: all } });
  }
}
