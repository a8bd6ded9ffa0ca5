import { IMPORTERS } from "../importers.ts";

export const either = (texts: readonly string[]): string =>
  new Intl.ListFormat("en-GB", { type: "disjunction" }).format(texts);

/** "n8n, Dify or LangGraph" */
export const PRODUCTS = either(IMPORTERS.map(({ title }) => title));
