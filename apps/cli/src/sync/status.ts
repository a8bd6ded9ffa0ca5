import { toLine } from "./compare-sides.ts";
import type { Sides } from "./read-sides.ts";

/** Says what differs. @returns 1 when anything does */
export function status({ name, server, compared }: Sides, json: boolean, write: (text: string) => void): number {
  const isDrift = compared.some(({ state }) => state !== "same" && state !== "not-exported");
  if (json) {
    const files = compared.map(({ path, state }) => ({
      path,
      state,
      ...(state === "not-exported" ? { reason: server.notExported.get(path) } : {}),
    }));
    write(`${JSON.stringify({ server: name, drift: isDrift, files }, null, 2)}\n`);
    return isDrift ? 1 : 0;
  }
  for (const { path, state } of compared)
    if (state !== "same") write(toLine(state, path, server.notExported.get(path)));
  const same = compared.filter(({ state }) => state === "same").length;
  write(`${same} of ${compared.length} in step with ${name}.\n`);
  return isDrift ? 1 : 0;
}
