import { MAX_PINS, PIN_PARAMETER } from '@app/contracts/qa';
import type { ResolvedUnit, Resolution } from '@app/contracts/resolution';
import { SHELL } from '@app/contracts/unit';
import { readResolution } from '../../federation/resolution.ts';
import { pageErrors } from './seen-errors.ts';

export interface PageUnit extends Pick<ResolvedUnit, 'version' | 'source' | 'fault'> {
  unit: string;
}

/** The units of this page. The page knows better than the server which version it has fallen back to. */
export function listPageUnits({ units }: Resolution = readResolution()): PageUnit[] {
  return Object.entries(units).map(([unit, { version, source, fault }]) => {
    const shown = document.querySelector<HTMLElement>(`[data-unit="${CSS.escape(unit)}"]`)?.dataset;
    const fallen = shown?.['source'] === 'fallback' ? shown['version'] : undefined;
    return {
      unit,
      ...(fallen ? { version: fallen, source: 'fallback' } : { version, source }),
      ...(fault && { fault }),
    };
  });
}

/** The pins that this page does not have: the release was removed, does not fit the others, or failed. */
export function listLostPins(resolution: Resolution): string[] {
  const shown = listPageUnits(resolution);
  return Object.entries(resolution.qa?.pins ?? {})
    .filter(([unit]) => shown.find((one) => one.unit === unit)?.source !== 'pin')
    .map((pair) => pair.join(' '));
}

/** The parameters of an address that say who the visitor is. */
const PERSONAL_PARAMS = ['hwid', 'zone'];

/** Path and query of this page, without what says who the visitor is. */
export function readPublicAddress(): string {
  const { pathname, search } = location;
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !PERSONAL_PARAMS.includes(part.split('=')[0] ?? ''));
  return kept.length > 0 ? `${pathname}?${kept.join('&')}` : pathname;
}

const MAX_ERRORS = 10;

/**
 * Writes a bug report about this page, as plain text. It has no device id and nothing else that says who the visitor is.
 */
export function writeBugReport(): string {
  const { revision, qa: { until } = {} } = readResolution();
  const units = listPageUnits();
  const versions = units.map(
    ({ unit, version, source, fault }) => `  ${unit} ${version} (${source})${fault ? `, simulated: ${fault}` : ''}`,
  );
  const errors = [...listFailedFiles(), ...pageErrors.flatMap(describeError)]
    .slice(-MAX_ERRORS)
    .map((error) => `  ${error}`);

  return [
    `Page: ${readPublicAddress()}`,
    `Time: ${new Date().toISOString()}`,
    `Versions, revision ${String(revision)}:`,
    ...versions,
    `The same versions, with QA access: ${pinLinkTo(units)}`,
    ...(until === undefined ? [] : [`Pinned until: ${new Date(until).toISOString()}`]),
    `Browser: ${navigator.userAgent}`,
    `Window: ${String(innerWidth)} x ${String(innerHeight)}, scale ${String(devicePixelRatio)}`,
    'Last errors:',
    ...(errors.length > 0 ? errors : ['  none']),
  ].join('\n');
}

/** Pins what this page has now. Another computer has no version that comes from this one. */
function pinLinkTo(units: readonly PageUnit[]): string {
  const isShown = ({ unit }: PageUnit) =>
    unit === SHELL || document.querySelector(`[data-unit="${CSS.escape(unit)}"]`) !== null;
  const pins = units
    .filter(({ source }) => source !== 'local')
    .sort((one, other) => Number(isShown(other)) - Number(isShown(one)))
    .slice(0, MAX_PINS)
    .map(({ unit, version }) => `${unit}@${version}`);
  const page = location.origin + readPublicAddress();
  return `${page}${page.includes('?') ? '&' : '?'}${PIN_PARAMETER}=${pins.join(',')}`;
}

/** Events of files have no message; which files failed is known already. */
function describeError(seen: Event | unknown[]): string[] {
  if (Array.isArray(seen)) return [String(seen.find((part) => part instanceof Error) ?? seen.join(' '))];
  return seen instanceof ErrorEvent ? [seen.message] : [];
}

function listFailedFiles(): string[] {
  return performance
    .getEntriesByType('resource')
    .filter(({ responseStatus }) => responseStatus >= 400)
    .map(({ name, responseStatus }) => `${String(responseStatus)} ${new URL(name).pathname}`);
}
