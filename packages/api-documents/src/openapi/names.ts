import { createHash } from "node:crypto";

const LONGEST = 64;
const HASH = 8;

/**
 * A name of letters, digits and underscores, of at most 64 characters, that no operation in `taken` has; it is added there. It depends
 * only on the operation itself, unless two are called the same: then the later one has a part of a hash behind it.
 * @param place method and path, which no other operation has
 */
export function nameOperation(operationId: string | null, place: string, taken: Set<string>): string {
  const wanted = toName(operationId ?? "") || toName(nameOfPlace(place)) || "operation";
  const whole = wanted.length <= LONGEST ? wanted : withHash(wanted, place);
  const name = taken.has(whole.toLowerCase()) ? withHash(wanted, place) : whole;
  taken.add(name.toLowerCase());
  return name;
}

/** `GET /users/{id}/posts` as `get_users_by_id_posts`. */
function nameOfPlace(place: string): string {
  const [method = "", path = ""] = place.split(" ", 2);
  return `${method.toLowerCase()} ${path.replace(/\{([^{}]*)\}/g, "by_$1")}`;
}

function toName(text: string): string {
  const name = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^\d/.test(name) ? `_${name}` : name;
}

function withHash(name: string, place: string): string {
  const hash = createHash("sha256").update(place).digest("hex").slice(0, HASH);
  return `${name.slice(0, LONGEST - HASH - 1)}_${hash}`;
}

/** A name for a property of an input that models and forms take, and that is not in `taken`; it is added there. */
export function nameProperty(name: string, place: string, taken: Set<string>): string {
  const cut = (text: string, most: number): string => text.slice(0, most).replace(/_+$/, "");
  const clean = cut(name.replace(/^[^A-Za-z0-9_]+/, "").replace(/[^A-Za-z0-9_.-]+/g, "_"), LONGEST) || place;
  let property = clean === "__proto__" ? "proto" : clean;
  if (taken.has(property)) property = `${cut(property, LONGEST - place.length - 1)}_${place}`;
  for (let count = 2; taken.has(property); count++) property = `${cut(clean, LONGEST - 12)}_${place}_${count}`;
  taken.add(property);
  return property;
}
