import { readResolution } from '../../federation/resolution.ts';
import { listPageUnits, readAddress } from './describe-page.ts';
import { seenErrors } from './seen-errors.ts';

/** How many errors a report has at most, the last ones. */
const MOST_ERRORS = 10;

/**
 * Writes a bug report about this page, as plain text. It has no device id and nothing else that says who the visitor is.
 */
export function writeBugReport(): string {
  const { revision, qa: { until } = {} } = readResolution();
  const units = listPageUnits().map(
    ({ unit, version, source, fault }) => `  ${unit} ${version} (${source})${fault ? `, simulated: ${fault}` : ''}`,
  );
  const errors = [...listFailedFiles(), ...seenErrors.flatMap(describeError)]
    .slice(-MOST_ERRORS)
    .map((error) => `  ${error}`);

  return [
    `Page: ${readAddress()}`,
    `Time: ${new Date().toISOString()}`,
    `Versions, revision ${String(revision)}:`,
    ...units,
    ...(until === undefined ? [] : [`Pinned until: ${new Date(until).toISOString()}`]),
    `Browser: ${navigator.userAgent}`,
    `Window: ${String(innerWidth)} x ${String(innerHeight)}, scale ${String(devicePixelRatio)}`,
    'Last errors:',
    ...(errors.length > 0 ? errors : ['  none']),
  ].join('\n');
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
