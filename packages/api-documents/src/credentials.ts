/** What the connection writes itself, so that no parameter may. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...["host", "content-length", "content-type", "content-encoding", "transfer-encoding", "connection", "accept"],
  ...["accept-encoding", "cookie", "te", "trailer", "upgrade", "keep-alive", "expect", "origin", "referer"],
]);
/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER =
  /^(?:proxy-)?authorization$|^(?:x-)?(?:\w+-)*(?:api-?key|apikey|api-?token|auth-?token|access-?token|auth-?key|subscription-key|secret)$|^(?:x-)?(?:token|auth)$/i;
const QUERY = /^(?:api[_-]?key|apikey|(?:access|api|oauth)[_-]?token)$/i;
const FIELD = /(?:^|[_-])(?:pass(?:word|phrase)|secret|api[_-]?key|token|credentials?|private[_-]?key)$/i;

export function isOfConnection(header: string): boolean {
  return OF_CONNECTION.has(header.toLowerCase());
}

/** Whether a request may have a header of this name. */
export function isHeaderName(name: string): boolean {
  return TOKEN.test(name) && !/^(?:proxy-|sec-)/i.test(name);
}

/** Whether a header by its name holds a credential. */
export function isCredentialHeader(name: string): boolean {
  return HEADER.test(name);
}

/** Whether a parameter of the query holds a credential, by its name or what is said of it. */
export function isCredentialQuery(name: string, description = ""): boolean {
  return (
    QUERY.test(name) ||
    (/^(?:token|key)$/i.test(name) && /\bauthenticat|\bapi[ -]?(?:key|token)\b|\baccess token\b/i.test(description))
  );
}

/** Whether a field of a body by its name holds a secret. */
export function isSecretField(name: string): boolean {
  return FIELD.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"));
}
