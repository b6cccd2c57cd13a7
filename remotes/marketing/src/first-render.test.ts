import { renderForTwo } from '@app/testing/first-render';
import { expect, test } from 'vitest';
import remote from './remote.ts';

test.each(Object.keys(remote.routes))('the first render of %s is the same for every visitor', async (path) => {
  const [first, second] = await renderForTwo(remote, path);

  expect(first).toContain('<h1');
  expect(second).toBe(first);
});

test('before /plans hydrates, plans are bought with a device and a zone, and otherwise link to the start', async () => {
  const [html] = await renderForTwo(remote, '/plans');
  const links = [...html.matchAll(/<a [^>]*href="([^"?]*)[^"]*"[^>]*>Get /g)].map(([, to]) => to);

  const [none, device, zoned] = ['#start', '#start', '/api/create-payment'].map((to) => Array<string>(3).fill(to));
  expect(links).toEqual([none, device, zoned].flat());
});
