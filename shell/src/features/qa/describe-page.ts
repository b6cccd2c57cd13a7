import type { ResolvedUnit, Resolution } from '@app/contracts/resolution';
import { readResolution } from '../../federation/resolution.ts';

/** What this page has of one unit, and why. */
export interface PageUnit {
  unit: string;
  version: string;
  source: ResolvedUnit['source'];
  fault: ResolvedUnit['fault'];
}

/** The units of this page. The page knows better than the server which version it has fallen back to. */
export function listPageUnits({ units }: Resolution = readResolution()): PageUnit[] {
  return Object.entries(units).map(([unit, { version, source, fault }]) => {
    const shown = document.querySelector<HTMLElement>(`[data-unit="${CSS.escape(unit)}"]`)?.dataset;
    const hasFallen = shown?.['source'] === 'fallback' && shown['version'] !== undefined;
    return hasFallen
      ? { unit, version: String(shown['version']), source: 'fallback', fault }
      : { unit, version, source, fault };
  });
}

/**
 * The pins that this page does not have, such as `tools 1.4.0`: the release was removed, does not fit the others, or
 * failed.
 */
export function listLostPins(resolution: Resolution): string[] {
  const shown = listPageUnits(resolution);
  return Object.entries(resolution.qa?.pins ?? {})
    .filter(([unit]) => shown.find((one) => one.unit === unit)?.source !== 'pin')
    .map((pair) => pair.join(' '));
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
