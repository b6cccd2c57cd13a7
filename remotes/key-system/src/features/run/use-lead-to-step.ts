import { useEffect, useRef, type RefObject } from 'react';

/**
 * Scrolls to the step that the run stands at and gives it the focus, once that is known; the first step is where its page begins.
 * @returns where to put the heading of the step
 */
export function useLeadToStep(step: number, isKnown: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (!isKnown || step === 1) return;

    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('li')?.scrollIntoView({ block: 'center' });
  }, [step, isKnown]);

  return heading;
}
