import type { LoadReport } from '@app/contracts/registry';
import type { Resolution, ResolvedUnit, Source, Unit } from '@app/contracts/release';
import { postJson } from '@app/platform';
import { failureOf } from './chunk-error.ts';
import { askResolution } from './resolution.ts';

/** A release of a remote that a page can load. */
export interface UnitRelease extends Pick<ResolvedUnit, 'version' | 'entry' | 'contract'> {
  unit: Unit;
  source: Source;
}

/** Where a tab keeps what has failed in it, as `unit@version`. */
const FAILED_KEY = 'failed-releases';

/** How long Retry waits for the server to say which versions hold now. */
const ASKING_MS = 5000;

let current: Resolution = { revision: 0, units: {} };
const failed = new Set(readFailed());

/** Says which releases this page is made of. */
export function provideResolution(resolution: Resolution): void {
  current = resolution;
}

/** Asks the server which versions hold now. Without an answer, those that the page knows still hold. */
export async function askWhichHold(): Promise<void> {
  current = await askResolution(AbortSignal.timeout(ASKING_MS)).catch(() => current);
}

/**
 * The releases of a unit, the best first. Those that have failed in this tab are among them only when all others have
 * failed, too.
 */
export function releasesOf(unit: Unit): UnitRelease[] {
  const chosen = current.units[unit];
  const known: UnitRelease[] = [
    ...(chosen ? [{ ...chosen, unit }] : []),
    ...(chosen?.lastGood ? [{ ...chosen.lastGood, unit, source: 'fallback' as const }] : []),
  ];
  const fresh = known.filter((release) => !failed.has(nameOf(release)));
  return fresh.length > 0 ? fresh : known;
}

/**
 * Notes that a release failed in this tab, and reports its first failure to the server. What QA simulates is neither
 * reported nor remembered.
 * @returns whether a release of the unit is left that has not failed
 */
export function noteFailure(release: UnitRelease, error: Error): boolean {
  const { unit, version } = release;
  const isNew = !failed.has(nameOf(release));
  failed.add(nameOf(release));
  if (isNew && !current.units[unit]?.fault) {
    keepFailed();
    const report: LoadReport = { unit, version, failure: failureOf(error) };
    // `keepalive`: the report arrives also when the visitor leaves.
    fetch('/api/load-reports', { ...postJson(report), keepalive: true }).catch(() => undefined);
  }
  return releasesOf(unit).some((other) => !failed.has(nameOf(other)));
}

/** The fault that QA simulates for a file of a release, as the server is to play it. */
export function faultAt(url: string): string | undefined {
  const [, unit = '', version] = /\/releases\/([^/]+)\/([^/]+)/.exec(url) ?? [];
  const { fault, version: chosen } = current.units[unit] ?? {};
  const isHit = fault === 'offline' || fault === 'slow' || (fault === 'corrupt' && version === chosen);
  return isHit ? fault : undefined;
}

/** Whether QA lets the pages of a release throw. */
export function isCrashing({ unit, version }: UnitRelease): boolean {
  const chosen = current.units[unit];
  return chosen?.fault === 'crashing' && chosen.version === version;
}

function nameOf({ unit, version }: UnitRelease): string {
  return `${unit}@${version}`;
}

/** Some browsers forbid the storage: then a reload forgets what has failed. */
function readFailed(): string[] {
  try {
    return sessionStorage.getItem(FAILED_KEY)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

function keepFailed(): void {
  try {
    sessionStorage.setItem(FAILED_KEY, [...failed].join(' '));
  } catch {
    // As above.
  }
}
