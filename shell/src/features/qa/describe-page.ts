import type { ResolvedUnit } from '@app/contracts/resolution';
import { readResolution } from '../../federation/resolution.ts';

/** What this page has of one unit, and why. */
export interface PageUnit {
  unit: string;
  version: string;
  source: ResolvedUnit['source'];
  fault: ResolvedUnit['fault'];
}

/** The units of this page. The page knows better than the server which version it has fallen back to. */
export function listPageUnits(): PageUnit[] {
  return Object.entries(readResolution().units).map(([unit, { version, source, fault }]) => {
    const shown = document.querySelector<HTMLElement>(`[data-unit="${CSS.escape(unit)}"]`)?.dataset;
    const hasFallen = shown?.['source'] === 'fallback' && shown['version'] !== undefined;
    return hasFallen
      ? { unit, version: String(shown['version']), source: 'fallback', fault }
      : { unit, version, source, fault };
  });
}

/** The parameters of an address that say who the visitor is. */
const PERSONAL = ['hwid', 'zone'];

/** Path and query of this page, without what says who the visitor is. */
export function readAddress(): string {
  const { pathname, search } = location;
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !PERSONAL.includes(part.split('=')[0] ?? ''));
  return kept.length > 0 ? `${pathname}?${kept.join('&')}` : pathname;
}
