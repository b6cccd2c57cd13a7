import type { Source } from '@app/contracts/resolution';
import { useIsHydrated } from '@app/platform';
import type { ComponentType } from 'react';

interface ReleaseOfPage {
  unit: string;
  version: string;
}

/**
 * Puts a page into an element that says which release it is from. Once the page works, the element also says why the
 * visitor got this release (`data-source`); until then the page is only HTML from the server.
 * @param source undefined on the server, because one HTML is for all visitors
 * @param onRender is called before each render, and may throw
 */
export function pageOfRelease(
  Page: ComponentType,
  { unit, version }: ReleaseOfPage,
  source?: Source,
  onRender?: () => void,
): ComponentType {
  const mark = (element: HTMLElement | null) => {
    if (element && source) element.dataset['source'] = source;
  };

  const rendered = source && renderedVersion(unit);

  return function PageOfRelease() {
    const isHydrated = useIsHydrated();
    onRender?.();
    // React then renders anew, instead of keeping the class names of the other release.
    if (!isHydrated && rendered && rendered !== version)
      throw new Error(`The HTML is from ${unit}@${rendered}, the code from ${version}`);
    return (
      <div data-unit={unit} data-version={version} ref={mark}>
        <Page />
      </div>
    );
  };
}

/** The release from which the server's HTML of a unit's page is; undefined when there is none. */
function renderedVersion(unit: string): string | undefined {
  return document.querySelector<HTMLElement>(`[data-unit="${unit}"]`)?.dataset['version'];
}
