import { advanceTime } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openPage } from '../test/page.ts';

const BUILD = { available: true, version: '1', bytes: 1, sha256: 'a'.repeat(64) };

async function open(builds: unknown, os = 'ios') {
  await openPage(`/v5?os=${os}&hwid=device-1&zone=z`, { '/api/downloads': () => Response.json(builds) });
  await advanceTime(1000);
}

const sticky = () => within(document.querySelector<HTMLElement>('[data-sticky-action]')!).getByRole('link');
const platformsOfV5 = () => screen.getAllByRole('list', { name: 'Runs on' })[0]?.textContent;
const hero = () => within(document.querySelector('header')!);
const marks = () => [...document.querySelectorAll<HTMLElement>('[data-os]')].map(({ dataset }) => dataset['os']);

test.each([
  ['V5 · AI inside', 'Download V5', /#downloads$/, /install V5/],
  ['NEO · Light and free', 'Get NEO', /^\/neo\?.*#downloads$/, /Install NEO/],
  ['V3 · Where it began', 'See the last build', /^\/arceusxv3\?.*#downloads$/, /V3 is done/],
])('once %s is chosen, the sticky button says %s', async (card, says, leadsTo, call) => {
  await open({});
  fireEvent.click(screen.getByRole('radio', { name: new RegExp(card) }));

  expect(sticky().textContent).toBe(says);
  expect(sticky().getAttribute('href')).toMatch(leadsTo);
  expect(screen.getByText(call)).toBeDefined();
});

test('a chosen app is announced after a choice of the visitor, and not on page load or return', async () => {
  await open({});
  const told = (words: string) => screen.getByText(words).closest('[role=status]');
  expect(told('You picked V5.')).toBeNull();

  fireEvent.click(screen.getByRole('radio', { name: /NEO ·/ }));
  expect(told('You picked NEO.')).not.toBeNull();
  fireEvent.click(screen.getByRole('radio', { name: /V5 ·/ }));
  expect(told('You picked V5.')).not.toBeNull();
});

test('without a file for iOS the first screen names Android alone, and the card announces iOS', async () => {
  await open({ v5: { android: BUILD }, neo: { ios: BUILD } });

  expect(hero().getByText('Available for: Android')).toBeDefined();
  expect(hero().queryByText(/iOS/)).toBeNull();
  expect(marks()).toEqual(['android']);
  expect(platformsOfV5()).toBe('AndroidiOS coming');
});

test('with a file for iOS the first screen and the card both name iOS', async () => {
  await open({ v5: { android: BUILD, ios: BUILD } });

  expect(hero().getByText('Available for: Android')).toBeDefined();
  expect(hero().getByText('iOS too')).toBeDefined();
  expect(marks()).toEqual(['android', 'ios']);
  expect(platformsOfV5()).toBe('AndroidiOS');
});

test('the claimed uptime leads to the status page', async () => {
  await open({});

  expect(screen.getByRole('link', { name: 'uptime' }).getAttribute('href')).toMatch(/^\/status\?/);
});

test('a visitor who only needs a key finds the link on the first screen', async () => {
  await open({});

  expect(hero().getByRole('link', { name: 'Get a key' }).getAttribute('href')).toBe(
    '/key-system-1?hwid=device-1&zone=z&os=ios',
  );
});

test.each([
  ['android', 'Download for Android'],
  ['ios', 'Download for iOS'],
  ['windows', 'Download for Android'],
])('of the downloads, only the one for %s has the main button', async (os, main) => {
  await open({ v5: { android: BUILD, android_vng: BUILD, ios: BUILD } }, os);

  const buttons = document.querySelectorAll('#downloads :is(a, button)[class*="primary"]');
  expect([...buttons].map(({ textContent }) => textContent)).toEqual([main]);
});

test('two pictures of the editor move again and again, and each has a button that stops it', async () => {
  await open({});
  const [typing, fix, ...others] = await vi.waitFor(async () => {
    await advanceTime(100);
    return screen.getAllByRole('button', { name: 'Pause the picture' });
  });
  expect(others).toEqual([]);
  fireEvent.click(typing!);

  expect(typing?.getAttribute('aria-label')).toBe('Play the picture');
  const states = [typing, fix].map((button) => button?.closest<HTMLElement>('[data-paused]')?.dataset['paused']);
  expect(states).toEqual(['true', 'false']);
});

test('the users of V5 count up for 900 ms, the community for 1200 ms', async () => {
  const sights: { element: Element; tell: IntersectionObserverCallback }[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly tell: IntersectionObserverCallback;
      constructor(tell: IntersectionObserverCallback) {
        this.tell = tell;
      }
      observe(element: Element) {
        sights.push({ element, tell: this.tell });
      }
      unobserve() {}
      disconnect() {}
    },
  );
  await open({});
  const numbers = sights.filter(({ element }) => element.closest('dd'));
  for (const isIntersecting of [false, true])
    for (const { tell } of numbers)
      tell([{ isIntersecting, boundingClientRect: { top: 600 } } as IntersectionObserverEntry], undefined as never);
  const shown = () => numbers.map(({ element }) => element.textContent);

  await advanceTime(450);
  expect(shown()).not.toContain('1000+');
  await advanceTime(450);
  expect(shown()).toContain('1000+');
  expect(shown()).not.toContain('500k+');
  await advanceTime(320);
  expect(shown()).toContain('500k+');
});
