import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from "vitest/node";

/**
 * Begins with the files whose path ends with one of `names`, in that order. Vitest begins with what took longest, but a fresh checkout
 * does not know that yet, and a short file with long tests would begin last and run alone.
 */
export function longFirst(names: readonly string[]): TestSequencerConstructor {
  const place = ({ moduleId }: TestSpecification): number => {
    const at = names.findIndex((name) => moduleId.endsWith(name));
    return at === -1 ? names.length : at;
  };
  return class LongFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).sort((a, b) => place(a) - place(b));
    }
  };
}
