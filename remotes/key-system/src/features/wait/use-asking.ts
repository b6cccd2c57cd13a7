import { useState } from 'react';
import { partsOf } from '../../date.ts';

interface Asking {
  ask: () => void;
  isAsking: boolean;
  /** The time of the last request of the visitor that was answered, such as `08:12`; undefined before. */
  answeredAt: string | undefined;
}

/** Shows a visitor who asks again that the page does so, and that it was answered, also when nothing is new. */
export function useAsking(reload: () => void, isFetching: boolean): Asking {
  const [askedAt, setAskedAt] = useState<string>();
  const [answeredAt, setAnsweredAt] = useState<string>();
  if (askedAt !== undefined && !isFetching) {
    setAskedAt(undefined);
    setAnsweredAt(askedAt);
  }

  function ask() {
    setAskedAt(partsOf(Date.now()).time);
    reload();
  }

  return { ask, isAsking: askedAt !== undefined, answeredAt };
}
