const REMEMBERED_MS = 300_000;

/** Asks once and answers from memory for five minutes: `auto` looks at the list at each call. A failure is not remembered. */
export function rememberList(ask: () => Promise<string[]>): () => Promise<string[]> {
  let known: { list: Promise<string[]>; until: number } | undefined;
  return async () => {
    const now = performance.now();
    if (known === undefined || known.until <= now) known = { list: ask(), until: now + REMEMBERED_MS };
    const asked = known;
    try {
      return await asked.list;
    } catch (error) {
      if (known === asked) known = undefined;
      throw error;
    }
  };
}
