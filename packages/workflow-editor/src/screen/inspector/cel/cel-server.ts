import type { CelCheck, CelLanguage } from "@oven/contract/workflow";
import { api } from "@oven/ui/api/api-client.ts";

let asked: Promise<CelLanguage> | undefined;

/** What an expression can name beside the run's data; asked of the server once. @throws ApiError */
export function loadLanguage(): Promise<CelLanguage> {
  asked ??= api("expressions/cel").then(
    ({ json }) => json as CelLanguage, // cast: the shape of the route
    (failure: unknown) => {
      asked = undefined;
      throw failure;
    },
  );
  return asked;
}

/** What the server's own parser finds wrong with a text; null: nothing. @throws ApiError */
export async function checkCel(expression: string): Promise<CelCheck["problem"]> {
  const { json } = await api("expressions/cel/check", { method: "POST", body: { expression } });
  return (json as CelCheck).problem; // cast: the shape of the route
}
