import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

/** The ref for what appears in the place of the control that had the focus. What a page begins with takes none. */
export function useLostFocus<Taker extends HTMLElement>(isAsked: boolean): RefObject<Taker | null> {
  const taker = useRef<Taker>(null);
  const take = useEffectEvent(() => {
    if (isAsked && document.activeElement === document.body) taker.current?.focus();
  });
  useEffect(() => take(), []);

  return taker;
}
