import { setFlagsFromString } from "node:v8";

/**
 * Runs a start whose young generation of the heap stays small. V8 doubles it while much survives, as all that is loaded at a start does, and a process that
 * then has little to do never gives it back: a worker held 67 MB of it. Once the start is over it grows as the work asks for it.
 */
export async function withSmallHeap<T>(start: () => Promise<T>): Promise<T> {
  setFlagsFromString("--semi-space-growth-factor=1");
  try {
    return await start();
  } finally {
    setFlagsFromString("--semi-space-growth-factor=2");
  }
}
