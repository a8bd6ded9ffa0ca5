import { join } from "node:path";
import { pathToFileURL } from "node:url";

/*
 * The pages of a host without our server, which serves them itself: as in the route of `/api`, what is ours is left to Node.
 */
interface Pages {
  fetch(request: Request): Response | Promise<Response>;
}

/** The source, from the application's folder: this file is built to somewhere else. */
const SOURCE = "server/pages/pages.ts";
let opening: Promise<Pages> | undefined;

async function open(): Promise<Pages> {
  const source = pathToFileURL(join(process.cwd(), SOURCE)).href;
  const { createPages } = (await import(/* turbopackIgnore: true */ /* webpackIgnore: true */ source)) as {
    createPages(): Pages;
  }; // cast: the module's own type is not imported
  return createPages();
}

async function handle(request: Request): Promise<Response> {
  opening ??= open();
  return (await opening).fetch(request);
}

export const dynamic = "force-dynamic";
export { handle as GET, handle as HEAD };
