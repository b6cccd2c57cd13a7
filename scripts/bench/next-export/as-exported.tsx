import { notePageSettled } from '@app/platform';
import { useEffect, type ComponentType } from 'react';
import { pageOfRelease } from '../../../shell/src/federation/page-of-release.tsx';

/**
 * Marks a page as those of our releases are marked, so that the measurement sees when it has come alive. What waits for
 * the page, such as toasts, then begins.
 */
export function asExported(page: ComponentType, unit: string): ComponentType {
  const Marked = pageOfRelease(page, { unit, version: 'next' }, typeof window === 'undefined' ? undefined : 'stable');
  return function Exported() {
    useEffect(notePageSettled, []);
    return <Marked />;
  };
}
