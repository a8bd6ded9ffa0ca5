/** Characters; the server refuses shorter ones. */
export const SHORTEST_PASSWORD = 10;
