import { closeBrowser, openBrowser, pass, visit } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import remote from '../remote.ts';
import { RECAPTCHA, serveRecaptcha } from '../test/fake-recaptcha.ts';
import { MINUTE_MS, NOW, run, silence, startServer, told } from '../test/run-server.ts';

const DEVICE = '?hwid=device-1&zone=z1';

beforeEach(() => openBrowser(NOW, { captcha: RECAPTCHA }));
beforeEach(() => void serveRecaptcha());
afterEach(closeBrowser);

test.each(['/key-system-bypass', '/rosaverx/key-system-bypass'])(
  '%s without a device shows how to begin in the app',
  async (path) => {
    startServer(silence);
    await visit(remote, path);

    const card = screen.getByRole('region', { name: 'Your key starts in the app' });
    expect(
      within(card)
        .getAllByRole('listitem')
        .map((frame) => frame.querySelector('p')?.textContent),
    ).toEqual(['Open the app', 'Tap “Get Key”', 'Cut your key here']);
  },
);

test.each([
  [1, '6 steps, then your key works for 24 h.'],
  [3, 'After this you’re halfway: 3 to go.'],
])('step %d says “%s”', async (step, words) => {
  startServer(told({ run: run(step) }));
  await visit(remote, `/key-system-${step}${DEVICE}`);

  expect(screen.getByText(words)).toBeDefined();
});

test.each([
  [0, 'Under 2 min in all.'],
  [2 * MINUTE_MS - 1, 'Under 2 min in all.'],
  [2 * MINUTE_MS, 'About 2 min in all.'],
  [8 * MINUTE_MS, 'About 8 min in all.'],
  [14.4 * MINUTE_MS, 'About 14 min in all.'],
  [17 * MINUTE_MS, 'About 15 min in all.'],
  [18 * MINUTE_MS, 'About 20 min in all.'],
  [60 * MINUTE_MS, 'About 60 min in all.'],
  [61 * MINUTE_MS, 'Over an hour in all.'],
])('when runs usually take %d ms, step 1 says “%s”', async (usualRunMs, words) => {
  startServer(told({ usualRunMs }));
  await visit(remote, `/key-system-1${DEVICE}`);

  expect(screen.getByText('6 steps, then your key works for 24 h.').parentElement?.textContent).toBe(
    `6 steps, then your key works for 24 h. ${words}`,
  );
});

test('how long runs usually take is said at the first step alone', async () => {
  startServer(told({ run: run(3), usualRunMs: 8 * MINUTE_MS }));
  await visit(remote, `/key-system-3${DEVICE}`);

  expect(screen.queryByText(/in all\.$/)).toBeNull();
  expect(screen.getByText('After this you’re halfway: 3 to go.')).toBeDefined();
});

test('how long runs usually take is not said while the server does not know it', async () => {
  startServer(told());
  await visit(remote, `/key-system-1${DEVICE}`);

  expect(screen.getByText('6 steps, then your key works for 24 h.')).toBeDefined();
  expect(screen.queryByText(/in all\.$/)).toBeNull();
});

test('the last step of the companion has no steps to announce', async () => {
  startServer(told({ app: 'companion', stepsRequired: 3, run: run(3, { of: 3 }) }));
  await visit(remote, `/rosaverx/key-system-3${DEVICE}`);

  expect(screen.queryByText(/halfway/)).toBeNull();
});

test('the strip counts down to the end of the run', async () => {
  startServer(told({ run: run(2) }));
  await visit(remote, `/key-system-2${DEVICE}`);
  await pass(1);

  expect(screen.getByText('left').parentElement?.textContent).toMatch(/01:30:00 left$/);
});

test('while a confirmation is awaited the first action is to retry; when it is late, to begin the step again', async () => {
  const { asked } = startServer(told({ run: run(2, { waiting: true }) }));
  await visit(remote, `/key-system-2${DEVICE}`);

  expect(screen.getByRole('link', { name: 'Complete' }).className).toContain('quiet');
  const before = asked.length;
  fireEvent.click(screen.getByText('Check again'));
  await pass(0);
  expect(asked).toHaveLength(before + 1);

  await pass(60_000);
  expect(screen.getByRole('link', { name: 'Complete' }).className).toContain('primary');
  expect(screen.getByText('Check again').className).toContain('quiet');
});

test('only the step that was finished last draws its check', async () => {
  startServer(told({ run: run(3) }));
  await visit(remote, `/key-system-3${DEVICE}`);

  const steps = [...screen.getByLabelText('First series').children] as HTMLElement[];
  expect(steps.map(({ dataset }) => dataset['last'])).toEqual(['false', 'true', 'false']);
});
