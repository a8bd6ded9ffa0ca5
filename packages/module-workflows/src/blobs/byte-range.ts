/** What a `Range` header asks for. `undefined`: the whole; `null`: nothing that exists. */
export function parseByteRange(header: string | null, size: number): { start: number; end: number } | null | undefined {
  // Several ranges, other units and what is no range are answered with the whole, as RFC 9110 §14.2 allows.
  const match = header === null ? null : /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (match === null) return undefined;
  const [first, last] = [match[1] ?? "", match[2] ?? ""];
  if (first === "" && last === "") return undefined;
  if (first === "") return Number(last) === 0 ? null : toRange(Math.max(0, size - Number(last)), size, size);
  if (last !== "" && Number(last) < Number(first)) return undefined;
  return toRange(Number(first), last === "" ? size : Math.min(Number(last) + 1, size), size);
}

function toRange(start: number, end: number, size: number): { start: number; end: number } | null {
  return start < size ? { start, end } : null;
}
