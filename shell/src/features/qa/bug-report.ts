import { MOST_PINS, PIN_PARAMETER } from '@app/contracts/qa';
import { SHELL } from '@app/contracts/unit';
import { readResolution } from '../../federation/resolution.ts';
import { listPageUnits, type PageUnit, readAddress } from './describe-page.ts';
import { seenErrors } from './seen-errors.ts';

/** How many errors a report has at most, the last ones. */
const MOST_ERRORS = 10;

/**
 * Writes a bug report about this page, as plain text. It has no device id and nothing else that says who the visitor is.
 */
export function writeBugReport(): string {
  const { revision, qa: { until } = {} } = readResolution();
  const units = listPageUnits();
  const versions = units.map(
    ({ unit, version, source, fault }) => `  ${unit} ${version} (${source})${fault ? `, simulated: ${fault}` : ''}`,
  );
  const errors = [...listFailedFiles(), ...seenErrors.flatMap(describeError)]
    .slice(-MOST_ERRORS)
    .map((error) => `  ${error}`);

  return [
    `Page: ${readAddress()}`,
    `Time: ${new Date().toISOString()}`,
    `Versions, revision ${String(revision)}:`,
    ...versions,
    `The same versions, with QA access: ${linkTo(units)}`,
    ...(until === undefined ? [] : [`Pinned until: ${new Date(until).toISOString()}`]),
    `Browser: ${navigator.userAgent}`,
    `Window: ${String(innerWidth)} x ${String(innerHeight)}, scale ${String(devicePixelRatio)}`,
    'Last errors:',
    ...(errors.length > 0 ? errors : ['  none']),
  ].join('\n');
}

/**
 * An address of this page that pins what it has now, whatever becomes stable later. Another computer has no version that
 * comes from this one.
 */
function linkTo(units: readonly PageUnit[]): string {
  const isShown = ({ unit }: PageUnit) =>
    unit === SHELL || document.querySelector(`[data-unit="${CSS.escape(unit)}"]`) !== null;
  const pins = units
    .filter(({ source }) => source !== 'local')
    .sort((one, other) => Number(isShown(other)) - Number(isShown(one)))
    .slice(0, MOST_PINS)
    .map(({ unit, version }) => `${unit}@${version}`);
  const page = location.origin + readAddress();
  return `${page}${page.includes('?') ? '&' : '?'}${PIN_PARAMETER}=${pins.join(',')}`;
}

/** Events of files have no message; which files failed is known already. */
function describeError(seen: Event | unknown[]): string[] {
  if (Array.isArray(seen)) return [String(seen.find((part) => part instanceof Error) ?? seen.join(' '))];
  return seen instanceof ErrorEvent ? [seen.message] : [];
}

/** Requests of this page that the server refused. */
function listFailedFiles(): string[] {
  return performance
    .getEntriesByType('resource')
    .filter(({ responseStatus }) => responseStatus >= 400)
    .map(({ name, responseStatus }) => `${String(responseStatus)} ${new URL(name).pathname}`);
}
