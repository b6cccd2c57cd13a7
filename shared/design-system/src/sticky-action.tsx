import { useEffect, useState, type ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';
import css from './sticky-action.module.css';

interface StickyActionProps {
  inPlace?: boolean;
  /** A selector of parts of the page with an action of their own. While one of them is in view, the bar is hidden. */
  yieldsTo?: string;
  children: ReactNode;
}

/**
 * The main action of a page. On phones it sticks to the bottom edge, over the page. Make it the last element of the
 * page, so that it covers nothing at the end. With `inPlace` it can be anywhere in the page; only on phones it moves to
 * the bottom edge.
 */
export function StickyAction({ inPlace = false, yieldsTo, children }: StickyActionProps) {
  const isAway = useIsInView(yieldsTo);

  return (
    <div className={joinClasses(css.bar, inPlace && css.inPlace)} data-sticky-action data-away={isAway}>
      <div className={css.inside}>{children}</div>
    </div>
  );
}

/** Whether one of the selected elements is in the middle of the window. */
function useIsInView(selector: string | undefined): boolean {
  const [isInView, setIsInView] = useState(false);

  useEffect(() => {
    if (!selector) return;
    const inView = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inView.add(target);
          else inView.delete(target);
        }
        setIsInView(inView.size > 0);
      },
      { rootMargin: '-15% 0px' },
    );
    document.querySelectorAll(selector).forEach((element) => observer.observe(element));
    return () => observer.disconnect();
  }, [selector]);

  return isInView;
}
