import { runPagePath } from '@app/contracts/pages';
import { advanceTime, visit } from '@app/testing/visit';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import remote from '../remote.ts';
import { DEVICE, link, notice, open, openBrowserBeforeEach } from '../test/open-page.ts';
import { failToConnect, MINUTE_MS, NOW, run, neverAnswer, stateResponse } from '../test/run-server.ts';

const BYPASS = runPagePath('main', 'bypass');
const STRIKES_TEXT = '3 strikes in a day: 15-minute timeout. 5: 24 hours.';

openBrowserBeforeEach();

const encodeTime = (ms: number) => encodeURIComponent(new Date(ms).toISOString());

test.each([
  ['KS_CAPTCHA', 'The captcha timed out', 'Do the captcha again, then tap the button.'],
  ['KS_LIMIT', 'Too many tries, too fast', 'Nothing is lost. No strike.'],
  ['KS_STEP', 'You’re at this step', 'Keep going from here.'],
  ['KS_EXPIRED', 'That took too long', 'Tap the button for a fresh link, and be back within 15 minutes.'],
  ['KS_PROVIDER_DOWN', 'The advertiser didn’t answer', 'Try again in a moment, or pick another one.'],
  ['KS_UNFINISHED', 'Your task isn’t finished', 'Go back and finish it, or redo this step.'],
])('%s is explained at the step, with advice and without a strike', async (code, what, next) => {
  await open(`/key-system-2${DEVICE}&e=${code}`, { run: run(2) });

  const lines = [...notice(what).querySelectorAll(':scope > div > div > span')].map((line) => line.textContent.trim());
  expect(lines).toEqual(['KS_LIMIT', 'KS_STEP'].includes(code) ? [next] : [next, 'No strike for this.']);
  expect(notice(what).className).not.toContain('warning');
  expect(link('Complete')).toContain('step=2');
});

test.each(
  ['KS_BLOCKED', 'KS_COOLDOWN', 'KS_FAST', 'KS_PROOF', 'KS_REUSE', 'KS_TICKET', 'KS_HWID', 'KS_ZONE', 'KS_APP'].flatMap(
    (code) => ['/key-system-2', '/gate', '/rosaverx/key-system-2'].map((path) => [path, code] as const),
  ),
)('threat 61: %s claims nothing about a device because its address says %s', async (path, code) => {
  await open(`${path}${DEVICE}&e=${code}&until=${encodeTime(NOW + 15 * MINUTE_MS)}`, {
    run: run(2),
    strikes: { count: 1, codes: ['KS_PROOF'] },
  });
  await advanceTime(1);

  expect(screen.queryByText(/blocked|timeout|strike|recognise|missing|don’t know|too early/)).toBeNull();
  expect(screen.queryByText(/Try again/)).toBeNull();
});

test.each(['silent', 'dead'] as const)(
  'threat 61: while the server is %s, an address does not show a device as blocked',
  async (is) => {
    await open(
      `/key-system-2${DEVICE}&e=KS_BLOCKED&until=${encodeTime(NOW + 15 * MINUTE_MS)}`,
      is === 'dead' ? failToConnect : neverAnswer,
    );

    expect(screen.queryByText('This device is blocked')).toBeNull();
  },
);

test.each(['/key-system-1', '/gate'])(
  'threat 61: %s without a device reports a broken link, and claims nothing about a device',
  async (path) => {
    await open(`${path}?e=KS_ZONE`, neverAnswer);
    expect(screen.getByText('Part of this link is missing')).toBeDefined();
    expect(screen.queryByText('No strike for this.')).toBeNull();

    await visit(remote, `${path}?e=KS_BLOCKED`);
    expect(screen.queryByText('This device is blocked')).toBeNull();
  },
);

test.each(['KS_OTHER_ZONE', 'server.busy', 'nonsense'])('ignores the code %s in the address', async (code) => {
  await open(`/key-system-2${DEVICE}&e=${code}`, { run: run(2) });

  expect(screen.queryByText('No strike for this.')).toBeNull();
  expect(link('Complete')).toContain('step=2');
});

test('disables the step until a limit in the address ends, by the server’s clock', async () => {
  await open(`/key-system-2${DEVICE}&e=KS_LIMIT&until=${encodeTime(NOW + 2 * MINUTE_MS)}`, {
    run: run(2),
    now: NOW + MINUTE_MS,
  });

  expect(notice('Too many tries, too fast').textContent).toContain('Try again at\u00a012:01.');
  expect(link('Try again in')).toBeNull();
  await advanceTime(59_999);
  expect(link('Try again in')).toBeNull();
  await advanceTime(1);
  expect(link('Complete')).toContain('step=2');
  expect(screen.getByText('You can keep going now.')).toBeDefined();
});

test('the countdown on the button of a limited first step replaces the captcha’s state', async () => {
  await open(`/key-system-1${DEVICE}&e=KS_LIMIT&until=${encodeTime(NOW + 2 * MINUTE_MS)}`, {});

  expect(screen.getByText('Loading the captcha')).toBeDefined();
  const words = screen.getByText('Try again in').closest<HTMLElement>('[data-waits]');
  expect(words?.dataset).toMatchObject({ waits: 'true', checking: 'false' });
});

test('shows until when a limit lasts before the server has answered', async () => {
  await open(`/key-system-2${DEVICE}&e=KS_LIMIT&until=${encodeTime(NOW + 2 * MINUTE_MS)}`, neverAnswer);

  expect(screen.getByText(/^Try again at 12:02\./)).toBeDefined();
});

test('enables the step when the limit in the address is over', async () => {
  await open(`/key-system-2${DEVICE}&e=KS_LIMIT&until=${encodeTime(NOW - MINUTE_MS)}`, { run: run(2) });
  await advanceTime(1);

  expect(link('Complete')).toContain('step=2');
  expect(screen.getByText('You can keep going now.')).toBeDefined();
});

test.each([
  ['a limit without a moment', 'KS_LIMIT', 'soon'],
  ['a limit with a moment that no limit of ours has', 'KS_LIMIT', encodeTime(NOW + 61 * MINUTE_MS)],
  ['a moment beside another refusal', 'KS_EXPIRED', encodeTime(NOW + 2 * MINUTE_MS)],
])('%s disables nothing', async (_what, code, until) => {
  await open(`/key-system-2${DEVICE}&e=${code}&until=${until}`, { run: run(2) });

  expect(link('Complete')).toContain('step=2');
  expect(screen.queryByText(/You can keep going/)).toBeNull();
});

const WARNING_TEXT = 'Keep bypassing and this device can get blocked for good.';

/** What the card says of a return: its heading, and the sentence below. */
function said(): string[] {
  return [...document.querySelectorAll('main h1, main h1 + p')].map(({ textContent }) => textContent);
}

test.each([
  ['KS_FAST', 1, ['Bypass detected!', 'You came back too early. Redo this step and wait'], run(3)],
  ['KS_PROOF', 2, ['Bypass detected!', 'The advertiser didn’t confirm your step. Redo this step'], run(3)],
  ['KS_REUSE', 2, ['Bypass detected!', 'That link was already used. That run’s over.'], null],
  ['KS_TICKET', 0, ['We don’t recognise this link', 'Head back to the key system. No strike for this.'], run(3)],
] as const)(
  'a return rejected with %s shows the reason, the current %d strikes, and where the run continues',
  async (code, count, [heading, why], kept) => {
    const isTicket = code === 'KS_TICKET';
    await open(`${BYPASS}${DEVICE}&r=${code}`, {
      run: kept,
      strikes: { count: count || 2, codes: [isTicket ? 'KS_FAST' : code] },
    });

    expect(said()).toEqual([heading, expect.stringContaining(why)]);
    expect(screen.queryAllByText(/^Keep bypassing past 5 and /)).toHaveLength(isTicket ? 0 : 1);
    expect(screen.queryAllByText(`That’s strike ${String(count)}.`)).toHaveLength(isTicket ? 0 : 1);
    expect(document.querySelectorAll('[data-hit=true]')).toHaveLength(count);
    expect(screen.queryAllByText(STRIKES_TEXT)).toHaveLength(isTicket ? 0 : 1);
    expect(screen.queryAllByText('Your steps are saved.')).toHaveLength(kept ? 1 : 0);
    const teeth = [...document.querySelectorAll<SVGElement>('main g[data-state]')];
    expect(teeth.map(({ dataset }) => dataset['state']).indexOf('now')).toBe(kept ? 2 : 0);
    const back = screen.getByRole('link', { name: 'Back to Key System' });
    expect([back.getAttribute('href'), back.className]).toEqual([
      `/key-system-1${DEVICE}`,
      expect.stringContaining('primary'),
    ]);
  },
);

test('does not claim that a later run was kept after KS_REUSE', async () => {
  await open(`${BYPASS}${DEVICE}&r=KS_REUSE`, { run: run(3), strikes: { count: 3, codes: ['KS_PROOF', 'KS_REUSE'] } });

  expect(said()[1]).toContain('A new one starts at step 1.');
  expect(screen.queryByText('Your steps are saved.')).toBeNull();
});

test('strikes that have led to a timeout are shown with the time left, in a ring that empties', async () => {
  const cooldown = { reason: 'KS_COOLDOWN', until: NOW + 11 * MINUTE_MS } as const;
  await open(`${BYPASS}${DEVICE}&r=KS_FAST`, {
    now: NOW + MINUTE_MS,
    cooldown,
    strikes: { count: 3, codes: ['KS_FAST'] },
  });
  await advanceTime(1);

  expect(said()).toEqual([
    'Bypass detected!',
    'You came back too early. You’re on a timeout. Try again at\u00a012:10.',
  ]);
  expect(screen.getByRole('timer').textContent).toContain('10:00');
  expect(screen.getAllByText('That’s strike 3.')).toHaveLength(1);
  const lit = () =>
    Number.parseFloat(document.querySelector('main circle + circle')!.getAttribute('stroke-dasharray')!);
  expect(lit()).toBeCloseTo(10 / 15, 2);
  await advanceTime(5 * MINUTE_MS);
  expect(lit()).toBeCloseTo(5 / 15, 2);
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Step 1 of 6');
  expect(screen.getByRole('link', { name: 'Back to Key System' }).className).toContain('quiet');
  expect(screen.queryByText('Your steps are saved.')).toBeNull();
});

test.each([
  ['has no strikes', 'KS_FAST', stateResponse({ run: run(2) })],
  ['has no strikes', 'KS_REUSE', stateResponse()],
  ['has strikes for something else', 'KS_REUSE', stateResponse({ strikes: { count: 1, codes: ['KS_FAST'] } })],
  ['does not wait', 'KS_COOLDOWN', stateResponse({ strikes: { count: 1, codes: ['KS_FAST'] } })],
  ['is not blocked', 'KS_BLOCKED', stateResponse()],
  ['is not known, for the line is dead', 'KS_BLOCKED', failToConnect],
] as const)('a device that %s is not shown %s because an address says so', async (_what, code, answer) => {
  const { asked } = await open(`${BYPASS}${DEVICE}&r=${code}&until=${encodeTime(NOW + 15 * MINUTE_MS)}`, answer);
  await advanceTime(1);

  expect(said()).toEqual(['Bypass detected!', WARNING_TEXT]);
  expect(asked).toHaveLength(1);
});

test('shows nothing about the device until the server has answered', async () => {
  await open(`${BYPASS}${DEVICE}&r=KS_FAST`, neverAnswer);

  expect(document.querySelector<HTMLElement>('[data-pending]')?.dataset['pending']).toBe('true');
  expect(said()).toEqual(['Bypass detected!', 'Looking up your run']);
});

test('without a device the page warns of bypasses, whatever its address says', async () => {
  await open(`${BYPASS}?r=KS_FAST`, neverAnswer);

  expect(document.querySelector<HTMLElement>('[data-pending]')?.dataset['pending']).toBe('false');
  expect(document.querySelector('main [data-is]')).toBeNull();
  expect(said()).toEqual(['Bypass detected!', WARNING_TEXT]);
});

test('says that the timeout is over', async () => {
  const { asked, answer } = await open(`${BYPASS}${DEVICE}&r=KS_COOLDOWN`, {
    cooldown: { reason: 'KS_COOLDOWN', until: NOW + MINUTE_MS },
  });
  expect(screen.queryByText('Your timeout’s over. Keep going.')).toBeNull();

  answer(stateResponse());
  await advanceTime(MINUTE_MS);
  expect(asked).toHaveLength(2);
  expect(notice('Your timeout’s over. Keep going.')).toBeDefined();
  expect(screen.queryByText(/You’re on a timeout/)).toBeNull();
});

test('five strikes with half of the day left light half of the ring', async () => {
  await open(`${BYPASS}${DEVICE}`, {
    cooldown: { reason: 'KS_COOLDOWN', until: NOW + 12 * 60 * MINUTE_MS },
    strikes: { count: 5, codes: ['KS_FAST'] },
  });

  const lit = document.querySelector('main circle + circle')!.getAttribute('stroke-dasharray')!;
  expect(Number.parseFloat(lit)).toBeCloseTo(0.5, 3);
});

test('does not say that an extended timeout is over', async () => {
  await open(`${BYPASS}${DEVICE}&r=KS_COOLDOWN&until=${encodeTime(NOW)}`, {
    cooldown: { reason: 'KS_COOLDOWN', until: NOW + 5 * MINUTE_MS },
  });

  expect(screen.queryByText('Your timeout’s over. Keep going.')).toBeNull();
  expect(screen.getAllByRole('status')).toHaveLength(1);
});
