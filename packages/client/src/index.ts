import * as formats from "./formats.ts";
import { type ClientOptions, Http } from "./http.ts";

type Formats = typeof formats;

/** The functions of the API, by workflow format. */
export type OvenClient = { [Name in keyof Formats]: ReturnType<Formats[Name]> };

export function createOvenClient(options: ClientOptions): OvenClient {
  const http = new Http(options);
  const made = Object.entries(formats).map(([name, create]) => [name, create(http)]);
  return Object.fromEntries(made) as OvenClient; // cast: under the same names
}

export type { ClientOptions };
