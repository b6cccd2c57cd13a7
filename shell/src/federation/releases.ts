import type { LoadReport } from '@app/contracts/page-reports';
import type { Unit } from '@app/contracts/unit';
import type { Resolution, ResolvedUnit, Source } from '@app/contracts/resolution';
import { ApiError, postJson } from '@app/platform';
import { countDown } from '@app/platform/count-down';
import { failureOf } from './chunk-error.ts';
import { HostApiError } from './host-api-error.ts';
import { askResolution } from './resolution.ts';

export interface UnitRelease extends Pick<ResolvedUnit, 'version' | 'entry' | 'contract' | 'translations'> {
  unit: Unit;
  source: Source;
}

/** Where a tab keeps what has failed in it, as `unit@version`. */
const FAILED_RELEASES_KEY = 'failed-releases';

/** How many seconds Retry waits for the server to say which versions hold now. */
const ASKING_S = 5;

let current: Resolution = { revision: 0, units: {} };
const failed = new Set(readFailed());
let isReached = true;

export function provideResolution(resolution: Resolution): void {
  current = resolution;
}

/** Without an answer, those that the page knows still hold. Other units keep theirs. */
export async function refreshResolution(unit: Unit): Promise<void> {
  const limit = new AbortController();
  countDown(ASKING_S, () => limit.abort());
  try {
    const held = (await askResolution(limit.signal)).units[unit];
    isReached = true;
    if (held) current = { ...current, units: { ...current.units, [unit]: held } };
  } catch (error) {
    // An error of our API is an answer, too.
    isReached = error instanceof ApiError;
  }
}

export function isServerReached(): boolean {
  return isReached;
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
    for (const release of freshOf(unit)) {
      isAny = true;
      yield release;
    }
  }
  if (!isAny) yield* knownOf(unit);
}

function knownOf(unit: Unit): UnitRelease[] {
  const chosen = current.units[unit];
  return [
    ...(chosen ? [{ ...chosen, unit }] : []),
    ...(chosen?.lastGood ? [{ ...chosen.lastGood, unit, source: 'fallback' as const }] : []),
  ];
}

function freshOf(unit: Unit): UnitRelease[] {
  return knownOf(unit).filter((release) => !failed.has(nameOf(release)));
}

/**
 * Reports the first failure of a release in this tab, but not a simulated one. Pages that the browser translates report
 * none, because its `<font>` elements may be the reason.
 * @returns whether to try again: it is the release's first failure, or another release is left
 */
export function noteFailure(release: UnitRelease, error: Error): boolean {
  const { unit, version } = release;
  const isNew = !failed.has(nameOf(release));
  failed.add(nameOf(release));
  // In a tab that was left open, a newer release may need a newer shell, which is no fault of the release.
  if (isNew && !current.units[unit]?.fault && !(error instanceof HostApiError)) {
    keepFailed();
    const report: LoadReport = { unit, version, failure: failureOf(error) };
    // `keepalive`: the report arrives also when the visitor leaves.
    if (!document.querySelector('font'))
      fetch('/api/load-reports', { ...postJson(report), keepalive: true }).catch(() => undefined);
  }
  return isNew || freshOf(unit).length > 0;
}

/** The fault that QA simulates for a file. Of a corrupt release it is the entry, which no other release has. */
export function faultAt(url: string): string | undefined {
  const { pathname } = new URL(url, location.href);
  const [, unit = ''] = /^\/releases\/([^/]+)\//.exec(pathname) ?? [];
  const { fault, entry } = current.units[unit] ?? {};
  const isHit = fault === 'offline' || fault === 'slow' || (fault === 'corrupt' && pathname === entry?.url);
  return isHit ? fault : undefined;
}

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
    return sessionStorage.getItem(FAILED_RELEASES_KEY)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

function keepFailed(): void {
  try {
    sessionStorage.setItem(FAILED_RELEASES_KEY, [...failed].join(' '));
  } catch {
    // As above.
  }
}
