import { useState } from 'react';

/**
 * Holds something back until a moment has come.
 * @param until the moment; undefined for not at all
 * @returns whether it is still held, and what to call at the moment
 */
export function useHeld(until: number | undefined): [isHeld: boolean, release: () => void] {
  const [released, setReleased] = useState<number>();
  return [until !== undefined && until !== released, () => setReleased(until)];
}
