import { Agent, get } from "node:http";

const CONNECTIONS = 10;

/** Requests a second of ten connections, each asking again as soon as it was answered. @throws Error on any other answer than 200 */
export async function measureRate(url: string, token: string, milliseconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { authorization: `Bearer ${token}` };
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent, headers }, (response) => {
        response.resume();
        response.on("end", () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`${url} answered ${response.statusCode}`));
        });
        response.on("error", reject);
      }).on("error", reject);
    });
  const during = async (length: number): Promise<number> => {
    const startedAt = performance.now();
    let answered = 0;
    const lane = async () => {
      while (performance.now() - startedAt < length) {
        await ask();
        answered++;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, lane));
    return (answered * 1_000) / (performance.now() - startedAt);
  };
  await during(milliseconds / 2);
  const rate = await during(milliseconds);
  agent.destroy();
  return rate;
}
