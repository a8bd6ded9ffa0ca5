/** A key with its modifiers, such as `Mod+Shift+Z`; `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
export type Keys = string;

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

export function isMac(platform: string = globalThis.navigator?.platform ?? ""): boolean {
  return /mac|iphone|ipad/i.test(platform);
}

/** Whether what was pressed is these keys. Shift does not count for signs that need it, such as `?`. */
export function matchesKeys(event: KeyPress, keys: Keys, mac = isMac()): boolean {
  const parts = keys.split("+").map((part) => (part === "Plus" ? "+" : part));
  const key = parts.at(-1) ?? "";
  const has = (name: string): boolean => parts.slice(0, -1).includes(name);
  const mod = mac ? event.metaKey : event.ctrlKey;
  const other = mac ? event.ctrlKey : event.metaKey;
  const isSign = key.length === 1 && !/[a-z0-9]/i.test(key);
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    mod === has("Mod") &&
    !other &&
    event.altKey === has("Alt") &&
    (isSign || event.shiftKey === has("Shift"))
  );
}

const SIGNS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Plus: "+",
};

/** As it is written beside a command: `Ctrl Shift Z`, `⌘⇧Z`. */
export function formatKeys(keys: Keys, mac = isMac()): string {
  const words = keys.split("+").map((part) => SIGNS[part] ?? part);
  if (!mac) return words.map((word) => (word === "Mod" ? "Ctrl" : word)).join(" ");
  const marks: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥" };
  return words.map((word) => marks[word] ?? word).join("");
}
