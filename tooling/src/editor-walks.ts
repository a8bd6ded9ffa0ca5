import { spawnSync } from "node:child_process";
import { join } from "node:path";

/*
 * `pnpm editor:walks [--gestures 1000] [--walks 20] [--seed 1]`: random walks through the editor's gestures, typing, undo and redo. After
 * each step the document is what it has to be, and undoing all of them ends in the document that the walk began with.
 */
const root = join(import.meta.dirname, "../..");
const option = (name: string, otherwise: number): number => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : Number(process.argv[position + 1]);
};
const gestures = option("gestures", 1_000);
const walks = option("walks", 20);
const seed = option("seed", 1);
if (![gestures, walks, seed].every((value) => Number.isInteger(value) && value > 0)) {
  console.error("Usage: pnpm editor:walks [--gestures COUNT] [--walks COUNT] [--seed NUMBER]");
  process.exit(2);
}
const { status } = spawnSync("vitest", ["run", "packages/workflow-editor/src/editor/editor-walk.proof.test.ts"], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    OVEN_WALK_GESTURES: String(gestures),
    OVEN_WALKS: String(walks),
    OVEN_PROPERTY_SEED: String(seed),
  },
});
if (status !== 0) process.exit(1);
process.stdout.write(`${walks} walks of ${gestures} gestures from seed ${seed}: no difference\n`);
