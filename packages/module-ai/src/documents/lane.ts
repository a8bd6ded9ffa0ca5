/** Work that is done one after the other, in the order in which it came: so much memory at a time. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  /** What `work` answers or throws. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    // Its caller gets the error; the next one starts all the same.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
