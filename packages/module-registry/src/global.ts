/**
 * The door for code that must not import the modules: the bundler would make a second copy of them, and with it a
 * second engine in the same process.
 */
export interface GlobalRuntime {
  fetch(request: Request): Promise<Response>;
}

const KEY = Symbol.for("oven.runtime");
type Holder = { [KEY]?: GlobalRuntime };

export function getGlobalRuntime(): GlobalRuntime | undefined {
  return (globalThis as Holder)[KEY]; // cast: a symbol property of globalThis has no declared type
}

export function setGlobalRuntime(runtime: GlobalRuntime | undefined): void {
  if (runtime === undefined)
    delete (globalThis as Holder)[KEY]; // cast: as above
  else (globalThis as Holder)[KEY] = runtime; // cast: as above
}
