import type { VitalsReport } from '@app/contracts/page-reports';
import type { Resolution } from '@app/contracts/resolution';
import { SHELL } from '@app/contracts/unit';
import { postJson } from '@app/platform';
import { onCLS, onINP, onLCP, type Metric } from 'web-vitals';

const METRIC_NAMES = { LCP: 'lcp', INP: 'inp', CLS: 'cls' } as const;

/** Four decimals of a shift, and more of a millisecond than a browser gives. */
const ROUNDING_FACTOR = 10_000;

/**
 * Tells the server how fast this page was, once, when the visitor leaves it or turns to another tab. What happened before
 * this code came is in the browser's buffers. A document counts for the page that it began with, as it does in Chrome's
 * own report.
 */
export function reportTimings({ units }: Resolution): void {
  const { version } = document.querySelector<HTMLElement>('[data-unit]')?.dataset ?? {};
  const shell = units[SHELL]?.version;
  if (version === undefined || shell === undefined || document.hidden) return;

  const told: VitalsReport = { page: location.pathname, version, shell, ...readHydration() };
  const note = ({ name, value }: Metric) => {
    if (name in METRIC_NAMES)
      told[METRIC_NAMES[name as keyof typeof METRIC_NAMES]] = Math.round(value * ROUNDING_FACTOR) / ROUNDING_FACTOR;
  };
  onLCP(note);
  onINP(note);
  onCLS(note);

  // The library listens on the window, in its first phase, so it has told all by then.
  const leaving = new AbortController();
  const tell = () => {
    if (!document.hidden) return;
    leaving.abort();
    // `keepalive`: it arrives though the page is gone. Without credentials, because nobody is to be known by it.
    fetch('/api/field-timings', { ...postJson(told), keepalive: true, credentials: 'omit' }).catch(() => undefined);
  };
  document.addEventListener('visibilitychange', tell, { signal: leaving.signal });
}

/** When the page worked, and whether all scripts that it needed for that were in the browser's cache. */
function readHydration(): Pick<VitalsReport, 'works' | 'cached'> {
  const worked = performance.getEntriesByName('works')[0]?.startTime;
  if (worked === undefined) return { cached: false };

  const cached = performance
    .getEntriesByType('resource')
    .filter(({ name, responseEnd }) => /\/releases\/.*\.js$/.test(name) && responseEnd <= worked)
    .every(({ transferSize }) => transferSize === 0);
  // A page may be rendered before anybody wants to see it.
  const { activationStart = 0 } = performance.getEntriesByType('navigation')[0] ?? {};
  const hidden = performance
    .getEntriesByType('visibility-state')
    .some(({ name, startTime }) => name === 'hidden' && startTime >= activationStart && startTime < worked);
  // Browsers slow down what nobody sees.
  return hidden ? { cached } : { cached, works: Math.max(0, worked - activationStart) };
}
