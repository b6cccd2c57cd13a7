import { advanceTime } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { serveRecaptcha } from '../test/fake-recaptcha.ts';
import { open, openBrowserBeforeEach } from '../test/open-page.ts';
import { neverAnswer } from '../test/run-server.ts';

const GATE = '/gate?hwid=device-1&advertiser=linkvertise';

openBrowserBeforeEach();

/** Opens the gate; its captcha is solved once, and the server replies. */
async function solveAt(address: string, reply: () => Response | Promise<Response>) {
  const captcha = serveRecaptcha();
  const led = vi.spyOn(window.location, 'assign').mockReturnValue(undefined);
  const server = await open(address, reply);
  await advanceTime(100);
  const solve = async () => {
    captcha.last.options.callback('token');
    await advanceTime(0);
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
])('the gate of %s shows %s and %s steps, beside the trailer', async (advertiser, name, steps) => {
  await open(`/gate?hwid=device-1&advertiser=${advertiser}`, neverAnswer);

  const gate = screen.getByRole('region', { name: 'Gate' });
  const facts = within(gate).getAllByRole('definition');
  expect(facts.slice(0, 2).map(({ textContent }) => textContent)).toEqual([name, `${steps} steps`]);
  expect(screen.getByRole('link', { name: 'Play the video: Trailer 1:24' })).toBeDefined();
});

test('when the captcha is rejected, an alert says so, and the captcha restarts', async () => {
  const { captcha, led, server, solve } = await solveAt(GATE, () => new Response('false'));

  const alert = screen.getByRole('alertdialog');
  expect(alert.textContent).toContain('CAPTCHA verification failed. Please try again.');
  expect(led).not.toHaveBeenCalled();
  expect(location.pathname).toBe('/gate');
  expect(server.asked.filter((path) => path.includes('captcha'))).toEqual(['/api/v2/verify-captcha']);

  server.answer(() => new Response('true'));
  fireEvent.click(within(alert).getByRole('button', { name: 'OK' }));
  await advanceTime(0);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(captcha.last.resets).toBe(1);
  await solve();
  expect(led.mock.calls).toEqual([['/api/keysystemv2?hwid=device-1&advertiser=linkvertise&os=android']]);
});

test('the gate sends the detected system when its link has none', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
  const { led } = await solveAt(`${GATE}&zone=z1`, () => new Response('true'));

  expect(led.mock.calls).toEqual([['/api/keysystemv2?hwid=device-1&advertiser=linkvertise&os=ios&zone=z1&run=stay']]);
});
