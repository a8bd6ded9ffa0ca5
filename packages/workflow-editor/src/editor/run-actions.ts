/** What the page around the editor does about runs; commands call it. */
export interface RunActions {
  /** Why nothing can be run now; null: it can. */
  refused: string | null;
  /** A run of it goes on. */
  going: boolean;
  /** Continues the run that is shown, which failed or was cancelled, with what is on the canvas; null: there is no such run. */
  broken: (() => void) | null;
  run: () => void;
  /** Runs it so that nothing has an effect. */
  dryRun: () => void;
  runUntil: (stateId: string) => void;
  runFrom: (stateId: string) => void;
  stop: () => void;
  isPinned: (stateId: string) => boolean;
  /** Whether the run that is shown has an output of this state. */
  hasOutput: (stateId: string) => boolean;
  pin: (stateId: string) => void;
  unpin: (stateId: string) => void;
  editPin: (stateId: string) => void;
}
