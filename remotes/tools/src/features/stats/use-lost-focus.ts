import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

/**
 * For what appears in the place of the control that the visitor used, which took the focus with it.
 * @param isAsked whether the visitor did something; what a page begins with takes no focus
 * @returns the ref for the element that takes the focus when it appears
 */
export function useLostFocus<Taker extends HTMLElement>(isAsked: boolean): RefObject<Taker | null> {
  const taker = useRef<Taker>(null);
  const take = useEffectEvent(() => {
    if (isAsked && document.activeElement === document.body) taker.current?.focus();
  });
  useEffect(() => take(), []);

  return taker;
}
