export interface OvenCommand {
  name: string;
  usage: string;
  /** @returns the exit code; a mistake of the caller's is thrown and exits with 2 */
  run(args: string[], write: (text: string) => void): Promise<number>;
}
