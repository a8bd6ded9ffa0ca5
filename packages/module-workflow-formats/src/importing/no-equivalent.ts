/** Why a step of another product cannot be told in ours; it becomes a placeholder. */
export class NoEquivalent extends Error {
  override readonly name = "NoEquivalent";
}

/** What work answers, or why it cannot. */
export function orReason<T>(work: () => T): { value: T } | { reason: string } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof NoEquivalent) return { reason: error.message };
    throw error;
  }
}
