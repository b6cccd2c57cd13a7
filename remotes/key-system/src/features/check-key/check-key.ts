import { keyVerdictSchema } from '@app/contracts/key-system-schemas';
import { callApi, fragmentOf, noteFragment, postJson, useLocation } from '@app/platform';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { loadVerifier } from '../../verifier/load-verifier.ts';
import { audienceOf, readClaims } from '../../verifier/read-claims.ts';
import type { Finding, KeyToCheck, Verifier } from '../../verifier/verifier.ts';

/** The result of the server's check. Only the server knows that a key was revoked. */
export type ServerFinding = Exclude<Finding['code'], 'CLOCK_BACK' | 'NOT_YET' | 'UNSUPPORTED'> | 'REVOKED';

/** What a check looks at, in this order. It stops at the first that is wrong. */
export const CHECKED_PARTS = ['signature', 'device', 'time'] as const;

export const PASSED_PARTS: Record<Finding['code'], number> = {
  SIGNATURE: 0,
  UNKNOWN_KID: 0,
  UNSUPPORTED: 0,
  APP_MISMATCH: 1,
  DEVICE_MISMATCH: 1,
  CLOCK_BACK: 2,
  NOT_YET: 2,
  EXPIRED: 2,
  VALID: 3,
};

/** Has the server check a key. Without `app`, for the one that the key names. */
export async function checkOnServer(toCheck: KeyToCheck, app: string | undefined): Promise<ServerFinding> {
  const named = app ?? audienceOf(toCheck.key);
  const { code } = await callApi(keyVerdictSchema, '/api/key/verify', postJson({ ...toCheck, app: named }));
  return code;
}

/** Whether a key whose signature was found right comes from a plan, and not from completed steps. */
export function isFromPlan(key: string): boolean {
  return readClaims(key).src === 'plan';
}

/** Gets all that a check needs beforehand. `open` tries again after a failure. */
export function useVerifier(): { isReady: boolean; open: () => Promise<Verifier> } {
  const opening = useRef<Promise<Verifier>>(undefined);
  const [isReady, setIsReady] = useState(false);

  const open = useCallback(() => {
    opening.current ??= loadVerifier().then(({ openVerifier }) => openVerifier());
    opening.current.then(
      () => setIsReady(true),
      () => (opening.current = undefined),
    );
    return opening.current;
  }, []);

  // A failure shows when the visitor asks for a check.
  useEffect(() => void open(), [open]);

  return { isReady, open };
}

/**
 * Takes the key that the page is opened with: from the page of an earned key, which hands it over in memory, or from the
 * fragment of the address (`#key=…&device=…`), which no browser sends to a server. It leaves the address at once; the
 * browser's history may keep what a link from elsewhere had.
 */
export function useKeyInAddress(onKey: (found: { key: string; device: string | undefined }) => void): void {
  const location = useLocation();
  const found = useEffectEvent(onKey);

  useEffect(() => {
    const { pathname, search } = window.location;
    const fragment = fragmentOf(window.location);
    const params = new URLSearchParams(fragment.slice(1));
    const key = params.get('key');
    if (key === null) return;

    noteFragment(pathname, fragment);
    history.replaceState(history.state, '', pathname + search);
    found({ key, device: params.get('device') ?? undefined });
  }, [location]);
}

/**
 * Counts what this page requests, of all that the browser reports: requests of other parts of the page, too. Pictures of
 * styles do not count: a window that becomes wider shows more of them, and they carry nothing.
 * @returns the requests since `count` was called; undefined before
 */
export function useSentRequests() {
  const observer = useRef<PerformanceObserver>(undefined);
  const [sent, setSent] = useState<readonly string[]>();

  const count = useCallback(() => {
    observer.current?.disconnect();
    const since = performance.now();
    setSent([]);
    observer.current = new PerformanceObserver((list) => {
      const begun = (list.getEntries() as PerformanceResourceTiming[]).filter(
        (entry) => entry.startTime >= since && entry.initiatorType !== 'css' && !isFromCache(entry),
      );
      setSent((before = []) => [...before, ...begun.map(({ name }) => shorten(name))]);
    });
    observer.current.observe({ type: 'resource' });
  }, []);

  useEffect(() => () => observer.current?.disconnect(), []);

  return { sent, count };
}

/** What the browser had itself was not sent: it has content, and nothing came over the network. */
function isFromCache({ transferSize, decodedBodySize }: PerformanceResourceTiming): boolean {
  return transferSize === 0 && decodedBodySize > 0;
}

function shorten(address: string): string {
  const { pathname } = new URL(address, location.href);
  return pathname.startsWith('/releases/') ? pathname.slice(pathname.lastIndexOf('/') + 1) : pathname;
}
