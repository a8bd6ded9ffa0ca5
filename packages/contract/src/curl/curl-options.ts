/** Options of curl that take a value, by their short form. */
const SHORT: Readonly<Record<string, string>> = {
  A: "user-agent",
  b: "cookie",
  c: "cookie-jar",
  C: "continue-at",
  d: "data",
  D: "dump-header",
  e: "referer",
  E: "cert",
  F: "form",
  H: "header",
  K: "config",
  m: "max-time",
  o: "output",
  P: "ftp-port",
  Q: "quote",
  r: "range",
  t: "telnet-option",
  T: "upload-file",
  u: "user",
  U: "proxy-user",
  w: "write-out",
  x: "proxy",
  X: "request",
  y: "speed-time",
  Y: "speed-limit",
  z: "time-cond",
};
const SHORT_SWITCHES: Readonly<Record<string, string>> = { G: "get", I: "head", k: "insecure" };
/** Long options with a value, beside those in `SHORT`. */
const LONG: ReadonlySet<string> = new Set([
  ...Object.values(SHORT),
  "cacert",
  "capath",
  "cert-type",
  "ciphers",
  "connect-timeout",
  "connect-to",
  "data-ascii",
  "data-binary",
  "data-raw",
  "data-urlencode",
  "form-string",
  "interface",
  "json",
  "keepalive-time",
  "key",
  "key-type",
  "limit-rate",
  "local-port",
  "max-filesize",
  "max-redirs",
  "noproxy",
  "oauth2-bearer",
  "pass",
  "proto",
  "proto-redir",
  "proxy-header",
  "resolve",
  "retry",
  "retry-delay",
  "retry-max-time",
  "stderr",
  "tls-max",
  "trace",
  "trace-ascii",
  "unix-socket",
  "url",
  "url-query",
]);

/** An option of a curl command by its long name; of a switch the value is empty, and a bare word is `url`. */
export interface CurlOption {
  name: string;
  value: string;
}

/** Options in order, until one lacks its value. */
export interface CurlOptions {
  options: CurlOption[];
  /** The option that the command ends with, as it was written. */
  incomplete: string | null;
}

/** Reads the words behind `curl`. An option that is not known is taken as a switch. */
export function readCurlOptions(words: readonly string[]): CurlOptions {
  const options: CurlOption[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const incomplete = word.startsWith("--")
      ? readLong(word, left, options)
      : word.startsWith("-") && word.length > 1
        ? readShort(word.slice(1), left, options)
        : add(options, "url", word);
    if (incomplete !== null) return { options, incomplete };
  }
  return { options, incomplete: null };
}

function add(options: CurlOption[], name: string, value: string): null {
  options.push({ name, value });
  return null;
}

function readLong(word: string, left: string[], options: CurlOption[]): string | null {
  const [, name = "", joined] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const value = LONG.has(name) ? (joined ?? left.shift()) : "";
  return value === undefined ? word : add(options, name, value);
}

/** Several switches in one word, the last one with its value: `-sXPOST`. */
function readShort(signs: string, left: string[], options: CurlOption[]): string | null {
  const [sign = ""] = signs;
  const name = SHORT[sign];
  const rest = signs.slice(1);
  if (name === undefined) {
    add(options, SHORT_SWITCHES[sign] ?? "", "");
    return rest === "" ? null : readShort(rest, left, options);
  }
  const value = rest === "" ? left.shift() : rest;
  return value === undefined ? `-${sign}` : add(options, name, value);
}
