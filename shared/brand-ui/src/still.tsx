import { lazyPage, ShowLazyPage, useIsHydrated, type LazyPage } from '@app/platform';
import { useState, type ComponentType } from 'react';
import css from './still.module.css';

/** A part of a page that never changes. */
export type Still = ComponentType & Pick<LazyPage, 'preload' | 'retry'>;

/**
 * Makes a part that never changes, such as a drawing. Where the server has rendered the page, its HTML stays, React skips
 * it, and its code is not fetched. It may neither keep a state nor have links within the site, and its stylesheets have to
 * be imported by the page, too.
 */
export function still(load: () => Promise<ComponentType>): Still {
  const part = lazyPage(load);

  function StillPart() {
    const isHydrated = useIsHydrated();
    const [isKept] = useState(!isHydrated && typeof document === 'object');

    if (isKept) return <div className={css.still} suppressHydrationWarning dangerouslySetInnerHTML={SERVER_HTML} />;
    return (
      <div className={css.still}>
        <ShowLazyPage page={part} />
      </div>
    );
  }

  return Object.assign(StillPart, { preload: part.preload, retry: part.retry });
}

/** React leaves what the server has rendered where it is told of other HTML. */
const SERVER_HTML = { __html: '' };

/**
 * Gets the still parts of a page ready with it: on the server, and where a visitor comes from another page. A page that
 * the document has already needs none.
 */
export async function withStills(page: ComponentType, stills: readonly Still[]): Promise<ComponentType> {
  const isThere = typeof document === 'object' && document.querySelector('[data-unit]:not([data-source])') !== null;
  if (!isThere)
    await Promise.all(
      stills.map((part) =>
        part.preload().catch((error: unknown) => {
          part.retry();
          throw error;
        }),
      ),
    );
  return page;
}
