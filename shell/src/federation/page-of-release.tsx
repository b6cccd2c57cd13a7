import type { Source } from '@app/contracts/resolution';
import { useIsHydrated } from '@app/platform';
import { useLayoutEffect, useRef, type ComponentType } from 'react';
import { replayInput } from './replay-input.ts';

/**
 * Puts a page into an element that says which release it is from, and once it works, why (`data-source`).
 * @param source undefined on the server, because one HTML is for all visitors
 */
export function pageOfRelease(
  Page: ComponentType,
  { unit, version }: { unit: string; version: string },
  source?: Source,
  onRender?: () => void,
): ComponentType {
  // One element for all renders: the page itself does not render again when it is hydrated.
  const page = <Page />;
  const rendered = source && renderedVersion(unit);

  return function PageOfRelease() {
    const isHydrated = useIsHydrated();
    onRender?.();
    const frame = useRef<HTMLDivElement>(null);
    useLayoutEffect(() => {
      if (!frame.current || !source) return;
      frame.current.dataset['source'] = source;
      performance.mark('works');
      replayInput(frame.current);
    }, []);

    // React then renders anew, instead of keeping the class names of the other release.
    if (!isHydrated && rendered && rendered !== version)
      throw new Error(`The HTML is from ${unit}@${rendered}, the code from ${version}`);
    return (
      <div data-unit={unit} data-version={version} ref={frame}>
        {page}
      </div>
    );
  };
}

function renderedVersion(unit: string): string | undefined {
  return document.querySelector<HTMLElement>(`[data-unit="${unit}"]`)?.dataset['version'];
}
