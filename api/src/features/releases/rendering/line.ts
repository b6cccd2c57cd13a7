/**
 * Makes a line in which tasks wait for each other, in the order in which they came.
 * @param most how many run at once
 */
export function createLine(most: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (task) => {
    if (running < most) running++;
    // Whoever ends gives its place to the next one.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
