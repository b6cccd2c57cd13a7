import type { Source } from '@app/contracts/release';
import { useEffect, useRef, type ComponentType } from 'react';
import { adoptInput } from './adopt-input.ts';

interface ReleaseOfPage {
  unit: string;
  version: string;
}

/**
 * Puts a page into an element that says which release it is from. Once the page works, the element also says why the
 * visitor got this release (`data-source`), and what was typed before is told to the page.
 * @param source undefined on the server, because one HTML is for all visitors
 * @param onRender is called before each render, and may throw
 */
export function pageOfRelease(
  Page: ComponentType,
  { unit, version }: ReleaseOfPage,
  source?: Source,
  onRender?: () => void,
): ComponentType {
  return function PageOfRelease() {
    onRender?.();
    const frame = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (!frame.current || !source) return;
      frame.current.dataset['source'] = source;
      adoptInput(frame.current);
    }, []);

    return (
      <div data-unit={unit} data-version={version} ref={frame}>
        <Page />
      </div>
    );
  };
}
