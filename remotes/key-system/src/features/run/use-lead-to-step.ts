import { useEffect, useRef, type RefObject } from 'react';

/**
 * Scrolls to the current step and focuses its heading, once the server has answered. Does nothing on the first step,
 * which is at the top of the page.
 * @returns the ref for the heading of the step
 */
export function useLeadToStep(step: number, isKnown: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (!isKnown || step === 1) return;

    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('li')?.scrollIntoView({ block: 'nearest' });
  }, [step, isKnown]);

  return heading;
}
