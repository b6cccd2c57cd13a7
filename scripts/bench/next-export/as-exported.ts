import type { ComponentType } from 'react';
import { pageOfRelease } from '../../../shell/src/federation/page-of-release.tsx';

/** Marks a page as our releases are marked, so that the measurement sees when it has come alive. */
export function asExported(page: ComponentType, unit: string): ComponentType {
  return pageOfRelease(page, { unit, version: 'next' }, typeof window === 'undefined' ? undefined : 'stable');
}
