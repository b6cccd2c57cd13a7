import type { Source } from '@app/contracts/resolution';
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

  return function PageOfRelease() {
    onRender?.();
    return (
      <div data-unit={unit} data-version={version} ref={mark}>
        <Page />
      </div>
    );
  };
}
