import { randomUUID } from "node:crypto";
import type { SecretReference } from "@oven/contract/access";
import { refused } from "./check-target.ts";

/** Where a secret stands in a URL that is to be called. */
interface Place {
  /** What stands there until the request leaves; unlike anything else in the URL. */
  standIn: string;
  reference: SecretReference;
  /** Where the caller named it, for errors: `$.urlSecrets.token`. */
  path: string;
  /** For errors: `{token} of the URL`. */
  what: string;
}

/** A URL whose secrets are not filled in yet. */
export interface PlacedUrl {
  url: URL;
  places: Place[];
}

export interface UrlSecretProblem {
  name: string;
  message: string;
  fix: string;
}

/** @throws OvenError OUTBOUND_REFUSED */
export function toUrl(text: string | URL): URL {
  const url = URL.parse(String(text));
  if (url === null)
    throw refused(`${JSON.stringify(String(text).slice(0, 200))} is not a URL`, "Write it as https://host/path.");
  return url;
}

/**
 * Why a secret cannot stand where `{name}` does in a URL; undefined: it can. A URL that is none in any case is not judged.
 * @param names of the secrets that are filled into the URL
 */
export function urlSecretProblem(text: string, names: readonly string[]): UrlSecretProblem | undefined {
  const missing = names.find((name) => !text.includes(placeholder(name)));
  if (missing !== undefined)
    return {
      name: missing,
      message: `The URL has no ${placeholder(missing)}`,
      fix: `Write ${placeholder(missing)} into the path or the query of the URL, or take ${missing} out of urlSecrets.`,
    };
  const standIns = new Map(names.map((name) => [name, newStandIn()]));
  const url = URL.parse(filledWith(text, standIns));
  if (url === null) {
    // A port takes digits only, so a URL that a digit makes one had a name there.
    const digits = new Map(names.map((name) => [name, "1"]));
    return names[0] !== undefined && URL.parse(filledWith(text, digits)) !== null ? misplaced(names[0]) : undefined;
  }
  const name = names.find((one) => !isInPathOrQuery(url, standIns.get(one) ?? ""));
  return name === undefined ? undefined : misplaced(name);
}

/**
 * The URL to call, with stand-ins where secrets will be, and parameters added to its query.
 * @throws OvenError OUTBOUND_REFUSED
 */
export function placeSecrets(
  target: string | URL,
  urlSecrets: Readonly<Record<string, SecretReference>> = {},
  query: Readonly<Record<string, string | SecretReference>> = {},
): PlacedUrl {
  const text = String(target);
  const problem = urlSecretProblem(text, Object.keys(urlSecrets));
  if (problem !== undefined) throw refused(problem.message, problem.fix, `$.urlSecrets.${problem.name}`);
  const inUrl = Object.entries(urlSecrets).map(([name, reference]): [string, Place] => [
    name,
    { standIn: newStandIn(), reference, path: `$.urlSecrets.${name}`, what: `${placeholder(name)} of the URL` },
  ]);
  const places = inUrl.map(([, place]) => place);
  const standIns = new Map(inUrl.map(([name, { standIn }]) => [name, standIn]));
  const url = URL.parse(filledWith(text, standIns)) ?? toUrl(text);
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === "string") {
      url.searchParams.append(name, value);
      continue;
    }
    const standIn = newStandIn();
    url.searchParams.append(name, standIn);
    places.push({ standIn, reference: value, path: `$.query.${name}`, what: `The parameter ${name} of the query` });
  }
  return { url, places };
}

/**
 * The URL with the secrets in it, percent-encoded: in the path as a part of one segment, in the query as a part of one value.
 * @param values of the place with that stand-in
 * @throws OvenError OUTBOUND_REFUSED
 */
export function fillPlaces({ url, places }: PlacedUrl, values: ReadonlyMap<string, string>): URL {
  if (places.length === 0) return url;
  const filled = new URL(url);
  let { pathname, search } = url;
  for (const { standIn } of places) {
    const value = values.get(standIn) ?? "";
    pathname = pathname.replaceAll(standIn, () => toSegment(value));
    search = search.replaceAll(standIn, () => encodeURIComponent(value.toWellFormed()));
  }
  filled.pathname = pathname;
  filled.search = search;
  // A segment of dots leads elsewhere, however it is encoded.
  if (filled.pathname !== pathname)
    throw refused("A secret of the URL would change where its path leads", "Call the service in another way.");
  return filled;
}

const placeholder = (name: string): string => `{${name}}`;

/** Letters and digits only, small ones: no part of a URL changes them. */
const newStandIn = (): string => `s${randomUUID().replaceAll("-", "")}`;

function filledWith(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{([^{}]*)\}/g, (whole, name: string) => values.get(name) ?? whole);
}

function isInPathOrQuery(url: URL, standIn: string): boolean {
  const elsewhere = [url.protocol, url.username, url.password, url.host];
  return !elsewhere.some((part) => part.includes(standIn)) && (url.pathname + url.search).includes(standIn);
}

function misplaced(name: string): UrlSecretProblem {
  return {
    name,
    message: `${placeholder(name)} may stand in the path and in the query of the URL only`,
    fix: "Write scheme, host and port out; a user name and password belong into the header Authorization.",
  };
}

/** RFC 3986, 3.3: a segment takes `:` and `@` as they are, and services compare some paths byte by byte. */
function toSegment(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll("%3A", ":").replaceAll("%40", "@");
}
