import type { Resolution } from '@app/contracts/resolution';
import { useToastStore } from '@app/platform';
import { closeBrowser, openBrowser, advanceTime, serve } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { writeResolution } from '../../test/qa-page.ts';
import { startQa } from './start-qa.ts';

import '@module-federation/enhanced/runtime';

beforeEach(() => openBrowser(Date.now()));
afterEach(closeBrowser);

// As it is before any test watches it.
const { error } = console;

/** Starts QA in a page with this resolution. */
async function start(qa: Resolution['qa']) {
  const resolution: Resolution = { revision: 1, units: {}, ...(qa && { qa }) };
  const element = writeResolution(resolution);
  onTestFinished(() => {
    element.remove();
    console.error = error;
  });

  startQa(resolution);
  fireEvent.keyDown(window, { altKey: true, code: 'KeyQ' });
  await advanceTime(0);
}

test('Alt+Q does nothing for a player, and a pin link that failed is explained in a toast', async () => {
  await start(undefined);
  await start({ access: false, pins: {}, notice: 'Only people with QA access can pin versions.' });

  expect(useToastStore.getState().waiting).toEqual(['Only people with QA access can pin versions.']);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Alt+Q opens the panel for QA', async () => {
  serve({ '/api/qa/pins': () => Response.json({ access: false, session: null }) });

  await start({ access: true, pins: {} });

  expect(screen.getByRole('dialog', { name: 'Versions in this browser' })).toBeDefined();
});
