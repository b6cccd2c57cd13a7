/** Keeps values up to a total weight. What was not asked for the longest goes first. */
export interface BoundedCache<Value> {
  get: (key: string) => Value | undefined;
  /** @param weight in the unit of the bound; may grow when the same value is set again */
  set: (key: string, value: Value, weight: number) => void;
  delete: (key: string) => void;
}

export function createBoundedCache<Value>(most: number): BoundedCache<Value> {
  const kept = new Map<string, { value: Value; weight: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  }

  return {
    get(key) {
      const found = kept.get(key);
      if (!found) return undefined;
      // The last ones of a map are those that were set last.
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },

    set(key, value, weight) {
      remove(key);
      kept.set(key, { value, weight });
      total += weight;
      for (const oldest of kept.keys()) {
        if (total <= most) break;
        remove(oldest);
      }
    },

    delete: remove,
  };
}
