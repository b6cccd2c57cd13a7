import type { Resolution } from '@app/contracts/resolution';
import { useToastStore } from '@app/platform';
import { closeBrowser, openBrowser, serve } from '@app/testing/visit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PROBLEM, RESOLUTION } from '../../test/qa-page.ts';
import { pinOverrides } from './pin-overrides.ts';

const reload = vi.fn<() => void>();
/** What the page has asked the server. */
let calls: ReturnType<typeof serve>;
const requestBodies = () => calls.map(({ body }) => JSON.parse(String(body)) as unknown);

beforeEach(() => {
  openBrowser(Date.now());
  vi.spyOn(location, 'reload').mockImplementation(reload.mockReset());
  answer(() => Response.json({}));
});
afterEach(() => {
  closeBrowser();
  localStorage.clear();
});

function answer(respond: () => Response): void {
  calls = serve({ '/api/qa/pins': respond });
}

/** What the extension writes before it loads the page anew. */
function override(overrides: object): void {
  localStorage.setItem('__MF_DEVTOOLS__', JSON.stringify({ overrides, enableFastRefresh: true }));
}

/** The page that the server sends once these are pinned. */
function resolutionWithPins(pins: Record<string, string>): Resolution {
  return { ...RESOLUTION, qa: { access: true, pins } };
}

test('versions that the extension overrides are pinned beside existing pins and faults', async () => {
  override({ tools: '3.0.0' });
  await pinOverrides(resolutionWithPins({ 'key-system': '1.4.0' }));

  expect(requestBodies()).toEqual([{ pins: { 'key-system': '1.4.0', tools: '3.0.0' }, faults: { tools: 'slow' } }]);
  expect(reload).toHaveBeenCalledOnce();
});

test('the URL of a manifest becomes its version, and an existing pin is not requested again', async () => {
  override({ tools: 'https://site.example/releases/tools/3.0.0/mf-manifest.json' });
  await pinOverrides(resolutionWithPins({ tools: '3.0.0' }));

  expect(requestBodies()).toEqual([]);
  expect(reload).not.toHaveBeenCalled();
});

test('removing the override removes its pin and no others', async () => {
  override({ tools: '3.0.0' });
  await pinOverrides(resolutionWithPins({ 'key-system': '1.4.0' }));
  override({});
  await pinOverrides(resolutionWithPins({ 'key-system': '1.4.0', tools: '3.0.0' }));
  await pinOverrides(resolutionWithPins({ 'key-system': '1.4.0' }));

  expect(requestBodies().slice(1)).toEqual([{ pins: { 'key-system': '1.4.0' }, faults: { tools: 'slow' } }]);
});

test('an override that the server rejects is reported, and the page stays', async () => {
  answer(() =>
    Response.json({ ...PROBLEM, code: 'QA_PIN', title: 'x', detail: 'tools@9.9.9 is not there.' }, { status: 409 }),
  );
  override({ tools: '9.9.9' });
  await pinOverrides(resolutionWithPins({}));

  expect(useToastStore.getState().waiting).toEqual(['tools@9.9.9 is not there.']);
  expect(reload).not.toHaveBeenCalled();
});

test('pins nothing without QA access or without storage', async () => {
  override({ tools: '3.0.0' });
  await pinOverrides({ ...RESOLUTION, qa: { access: false, pins: {} } });
  const forbidden = () => {
    throw new DOMException('No storage', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: forbidden });
  await pinOverrides(resolutionWithPins({}));

  expect(requestBodies()).toEqual([]);
});
