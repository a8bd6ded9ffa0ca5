/** How long the tool `wait` of these servers takes; its server is ended before that. */
export const LONG_MS = 60_000;

export const wait = () => new Promise<void>((done) => setTimeout(done, LONG_MS));
