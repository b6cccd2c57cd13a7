import type { LoadReport } from '@app/contracts/page-reports';
import type { Unit } from '@app/contracts/unit';
import type { Resolution, ResolvedUnit, Source } from '@app/contracts/resolution';
import { ApiError, postJson } from '@app/platform';
import { countDown } from '@app/platform/count-down';
import { failureOf } from './chunk-error.ts';
import { HostApiError } from './host-api-error.ts';
import { fetchResolution } from './resolution.ts';

export interface UnitRelease extends Pick<ResolvedUnit, 'version' | 'entry' | 'contract' | 'translations'> {
  unit: Unit;
  source: Source;
}

/** Where a tab keeps what has failed in it, as `unit@version`. */
const FAILED_RELEASES_KEY = 'failed-releases';

/** How many seconds Retry waits for the server to say which versions hold now. */
const RESOLUTION_TIMEOUT_S = 5;

let currentResolution: Resolution = { revision: 0, units: {} };
const failedReleases = new Set(readFailedReleases());
let isServerReachable = true;

export function provideResolution(resolution: Resolution): void {
  currentResolution = resolution;
}

/** Without an answer, those that the page knows still hold. Other units keep theirs. */
export async function refreshResolution(unit: Unit): Promise<void> {
  const limit = new AbortController();
  countDown(RESOLUTION_TIMEOUT_S, () => limit.abort());
  try {
    const held = (await fetchResolution(limit.signal)).units[unit];
    isServerReachable = true;
    if (held) currentResolution = { ...currentResolution, units: { ...currentResolution.units, [unit]: held } };
  } catch (error) {
    // An error of our API is an answer, too.
    isServerReachable = error instanceof ApiError;
  }
}

export function isServerReached(): boolean {
  return isServerReachable;
}

/**
 * The releases of a unit that have not failed in this tab, the best first. When those that the page knows are used up,
 * it asks the server once: the page knows the last good release of its own unit only. When all have failed, they come
 * again.
 */
export async function* candidatesOf(unit: Unit): AsyncGenerator<UnitRelease> {
  let isAny = false;
  for (const isAsked of [false, true]) {
    if (isAsked) await refreshResolution(unit);
    for (const release of untriedReleases(unit)) {
      isAny = true;
      yield release;
    }
  }
  if (!isAny) yield* knownReleases(unit);
}

function knownReleases(unit: Unit): UnitRelease[] {
  const chosen = currentResolution.units[unit];
  return [
    ...(chosen ? [{ ...chosen, unit }] : []),
    ...(chosen?.lastGood ? [{ ...chosen.lastGood, unit, source: 'fallback' as const }] : []),
  ];
}

function untriedReleases(unit: Unit): UnitRelease[] {
  return knownReleases(unit).filter((release) => !failedReleases.has(releaseName(release)));
}

/**
 * Reports the first failure of a release in this tab, but not a simulated one. Pages that the browser translates report
 * none, because its `<font>` elements may be the reason.
 * @returns whether to try again: it is the release's first failure, or another release is left
 */
export function noteFailure(release: UnitRelease, error: Error): boolean {
  const { unit, version } = release;
  const isNew = !failedReleases.has(releaseName(release));
  failedReleases.add(releaseName(release));
  // In a tab that was left open, a newer release may need a newer shell, which is no fault of the release.
  if (isNew && !currentResolution.units[unit]?.fault && !(error instanceof HostApiError)) {
    saveFailedReleases();
    const report: LoadReport = { unit, version, failure: failureOf(error) };
    // `keepalive`: the report arrives also when the visitor leaves.
    if (!document.querySelector('font'))
      fetch('/api/load-reports', { ...postJson(report), keepalive: true }).catch(() => undefined);
  }
  return isNew || untriedReleases(unit).length > 0;
}

/** The fault that QA simulates for a file. Of a corrupt release it is the entry, which no other release has. */
export function faultAt(url: string): string | undefined {
  const { pathname } = new URL(url, location.href);
  const [, unit = ''] = /^\/releases\/([^/]+)\//.exec(pathname) ?? [];
  const { fault, entry } = currentResolution.units[unit] ?? {};
  const isHit = fault === 'offline' || fault === 'slow' || (fault === 'corrupt' && pathname === entry?.url);
  return isHit ? fault : undefined;
}

export function isCrashing({ unit, version }: UnitRelease): boolean {
  const chosen = currentResolution.units[unit];
  return chosen?.fault === 'crashing' && chosen.version === version;
}

function releaseName({ unit, version }: UnitRelease): string {
  return `${unit}@${version}`;
}

/** Some browsers forbid the storage: then a reload forgets what has failed. */
function readFailedReleases(): string[] {
  try {
    return sessionStorage.getItem(FAILED_RELEASES_KEY)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

function saveFailedReleases(): void {
  try {
    sessionStorage.setItem(FAILED_RELEASES_KEY, [...failedReleases].join(' '));
  } catch {
    // As above.
  }
}
