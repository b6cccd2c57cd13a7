/** Lets callers have something one after the other, in the order in which they came. */
export interface Turns {
  /** Resolves when the caller has its turn. */
  take: () => Promise<void>;
  /** Ends the turn; the next caller has it at once. */
  give: () => void;
}

export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  return {
    take() {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));

      isTaken = true;
      return Promise.resolve();
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
}
