import { closeBrowser, openBrowser, pass, visit } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import remote from '../remote.ts';
import { RECAPTCHA, serveRecaptcha } from '../test/fake-recaptcha.ts';
import { dead, NOW, silence, startServer } from '../test/run-server.ts';

const GATE = '/gate?hwid=device-1&advertiser=linkvertise';
const FAILED = 'CAPTCHA verification failed. Please try again.';
const NO_ANSWER = 'An error occurred during verification. Please try again.';

beforeEach(() => openBrowser(NOW, { captcha: RECAPTCHA }));
beforeEach(() => void serveRecaptcha());
afterEach(closeBrowser);

/** Opens the gate; its captcha is solved once, and the server replies. */
async function solveAt(address: string, reply: () => Response | Promise<Response>) {
  const captcha = serveRecaptcha();
  const led = vi.spyOn(window.location, 'assign').mockReturnValue(undefined);
  const server = startServer(reply);
  await visit(remote, address);
  await pass(100);
  const solve = async () => {
    captcha.last.options.callback('token');
    await pass(0);
  };
  await solve();

  return { captcha, led, server, solve };
}

test.each([
  ['linkvertise', 'Linkvertise', '2'],
  ['rinku', 'Rinku', '3'],
  ['lootlabs', 'LootLabs', '4'],
  ['workink', 'Linkvertise', '2'],
  ['unknown', 'Linkvertise', '2'],
])('the gate of %s names %s and %s steps, beside the trailer', async (advertiser, name, steps) => {
  startServer(silence);
  await visit(remote, `/gate?hwid=device-1&advertiser=${advertiser}`);

  const gate = screen.getByRole('region', { name: 'Gate' });
  const facts = within(gate).getAllByRole('definition');
  expect(facts.slice(0, 2).map(({ textContent }) => textContent)).toEqual([
    name,
    `${steps} steps through this advertiser`,
  ]);
  expect(screen.getByRole('link', { name: 'Play the video: Trailer 1:24' })).toBeDefined();
});

test.each([
  ['“false”', () => new Response('false'), FAILED],
  ['“true” and a space', () => new Response('true '), FAILED],
  ['“TRUE”', () => new Response('TRUE'), FAILED],
  ['an error', () => new Response('error', { status: 503 }), NO_ANSWER],
  ['nothing, since the line is dead', dead, NO_ANSWER],
])('when the reply to a captcha is %s, an alert says so, and the captcha begins again', async (_what, reply, words) => {
  const { captcha, led, server, solve } = await solveAt(GATE, reply);

  const alert = screen.getByRole('alertdialog');
  expect(alert.textContent).toContain(words);
  expect(led).not.toHaveBeenCalled();
  expect(location.pathname).toBe('/gate');
  expect(server.asked.filter((path) => path.includes('captcha'))).toEqual(['/api/v2/verify-captcha']);

  server.answer(() => new Response('true'));
  fireEvent.click(within(alert).getByRole('button', { name: 'OK' }));
  await pass(0);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(captcha.last.resets).toBe(1);
  await solve();
  expect(led.mock.calls).toEqual([['/api/keysystemv2?hwid=device-1&advertiser=linkvertise&os=android']]);
});

test('the gate sends the system of the browser along, where its link names none', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
  const { led } = await solveAt(GATE, () => new Response('true'));

  expect(led.mock.calls).toEqual([['/api/keysystemv2?hwid=device-1&advertiser=linkvertise&os=ios']]);
});

test('without a device the gate asks to begin in the app', async () => {
  startServer(silence);
  await visit(remote, '/gate?advertiser=linkvertise');
  expect(screen.queryByRole('region', { name: 'Gate' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Get Key' }));
  await pass(0);

  expect(screen.getByRole('alertdialog').textContent).toContain('“Get Key” button');
});

test('a gate whose link has no usable device says so, and asks to begin in the app', async () => {
  startServer(silence);
  await visit(remote, '/gate?hwid=a%20b');

  expect(screen.getByText('We don’t recognise the device in this link')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Get Key' }));
  await pass(0);
  expect(screen.getByRole('alertdialog').textContent).toContain('“Get Key” button');
});
