import { useCallback, useEffect, useRef, useState } from 'react';
import { loadVerifier } from '../../verifier/load-verifier.ts';
import type { Verifier } from '../../verifier/verifier.ts';

/**
 * Gets all that a check needs before the visitor asks for one, so that the check itself needs no network.
 * @returns `isReady` once it is there, and `open`, which tries again after a failure
 */
export function useVerifier(): { isReady: boolean; open: () => Promise<Verifier> } {
  const opening = useRef<Promise<Verifier>>(undefined);
  const [isReady, setIsReady] = useState(false);

  const open = useCallback(() => {
    opening.current ??= loadVerifier().then(({ openVerifier }) => openVerifier());
    opening.current.then(
      () => setIsReady(true),
      () => (opening.current = undefined),
    );
    return opening.current;
  }, []);

  // A failure shows when the visitor asks for a check.
  useEffect(() => void open(), [open]);

  return { isReady, open };
}
