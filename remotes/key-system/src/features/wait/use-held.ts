import { useState } from 'react';

/**
 * Keeps an action disabled until a moment has come.
 * @param until the moment; undefined: never disabled
 * @returns whether the action is still disabled, and the function to call when the moment has come
 */
export function useHeld(until: number | undefined): [isHeld: boolean, release: () => void] {
  const [released, setReleased] = useState<number>();
  return [until !== undefined && until !== released, () => setReleased(until)];
}
