/** After so many failures the database itself is the likely cause, and each further one would wait for it. */
const MOST_FAILURES = 3;

/**
 * Does something for each item in turn. One that fails does not keep the others waiting.
 * @throws the first failure, when all items had their turn or too many failed
 */
export async function oneByOne<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      if (failures.push(error) === MOST_FAILURES) break;
    }
  }
  if (failures.length > 0) throw failures[0];
}
