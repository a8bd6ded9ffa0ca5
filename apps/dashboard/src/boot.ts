import { createRoot, type Root } from "react-dom/client";

const RELOADED_AT = "oven.reloaded-at";
const BETWEEN_RELOADS_MS = 10_000;

/*
 * A part of the page that cannot be loaded is most often one of an older version: the page begins anew, and then asks for today's. If that
 * did not help, the error is shown.
 */
window.addEventListener("vite:preloadError", (event) => {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < BETWEEN_RELOADS_MS) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  event.preventDefault();
  location.reload();
});

/** Where the page shows the app, in place of what it shows while it is loading. */
export function placeOfApp(): Root {
  const place = document.getElementById("root");
  if (place === null) throw new Error("The page has no element with the id root");
  return createRoot(place);
}
