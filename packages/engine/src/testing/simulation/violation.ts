/** Thrown when something happened that never may. */
export class Violation extends Error {}
