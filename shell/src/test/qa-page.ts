import type { ListedUnit, RegistryListing } from '@app/contracts/registry';
import { RESOLUTION_ELEMENT_ID, type Resolution } from '@app/contracts/resolution';
import { closeBrowser, openBrowser, advanceTime, serve } from '@app/testing/visit';
import { fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';

export const NOW = new Date(2026, 10, 22, 10).getTime();
const UNTIL = NOW + 8 * 60 * 60 * 1000;
const ENTRY = { url: '/x.js', integrity: 'sha384-x' };

export const RESOLUTION: Resolution = {
  revision: 7,
  units: {
    shell: { version: '2.0.0', source: 'stable', entry: ENTRY, routes: [] },
    'key-system': { version: '1.4.0', source: 'pin', entry: ENTRY, routes: [] },
    tools: { version: '3.1.0', source: 'canary', entry: ENTRY, routes: [], fault: 'slow' },
  },
  qa: { access: true, pins: { 'key-system': '1.4.0' }, until: UNTIL },
};

export const SESSION = { pins: { 'key-system': '1.4.0' }, faults: { tools: 'slow' }, until: UNTIL, by: 'link' };

function unitListing(unit: string, versions: readonly string[], more: Partial<ListedUnit> = {}) {
  return {
    unit,
    paths: [`/${unit}-*`],
    stable: versions[0] ?? null,
    canary: null,
    lastGood: null,
    halted: null,
    lock: null,
    moved: null,
    releases: versions.map((version) => ({
      version,
      publishedAt: NOW,
      publishedBy: 'ci',
      commit: 'a81f9c3e77d2b1',
      contract: '2.2',
      bytes: 120_000,
      change: -4000,
      networks: { served: 120, failed: 3 },
      withdrawnAt: null,
      lastStableAt: null,
    })),
    slower: [],
    previews: [],
    ...more,
  };
}

export const LISTING = {
  revision: 7,
  units: [
    unitListing('shell', ['2.0.0']),
    unitListing('key-system', ['1.5.0', '1.4.0'], {
      lock: { reason: 'Captchas fail', by: 'oncall', at: NOW },
      halted: { version: '1.4.0', reason: '3 of 120 networks', at: NOW },
    }),
    unitListing('tools', ['3.0.0', '3.1.0'], { canary: { version: '3.1.0', percent: 10, since: NOW } }),
  ],
} satisfies RegistryListing;

export const PROBLEM = { type: 'x', status: 409, retryable: false, ref: 'x', now: NOW };

/** Writes into the document which versions the page is made of. */
export function writeResolution(resolution: Resolution): HTMLElement {
  document.getElementById(RESOLUTION_ELEMENT_ID)?.remove();
  const element = document.createElement('script');
  element.id = RESOLUTION_ELEMENT_ID;
  element.setAttribute('type', 'application/json');
  element.textContent = JSON.stringify(resolution);
  return document.body.appendChild(element);
}

/** Opens a page with a resolution. Call the answer after the test. */
export function openPage(): () => void {
  openBrowser(NOW);
  const element = writeResolution(RESOLUTION);
  return () => {
    element.remove();
    closeBrowser();
  };
}

/** Answers what the board asks for. */
export function serveQa(state: object, listing: object = LISTING) {
  return serve({
    '/api/qa/pins': () => Response.json(state),
    '/api/releases': () => Response.json(listing),
    '/api/qa/access': () =>
      Response.json(
        { ...PROBLEM, title: 'This needs QA access', code: 'QA_ACCESS', detail: 'Wrong.' },
        { status: 403 },
      ),
    '/api/qa/share': () => Response.json({ link: 'https://site.example/x?pin=a@1.0.0&qa=b', until: UNTIL }),
  });
}

/** Renders a part of QA, and waits for what it asks the server. */
export async function show(part: ReactElement) {
  render(part);
  await advanceTime(0);
}

/** Clicks a button, and waits for what it does. */
export async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await advanceTime(0);
}
