import { renderForTwo } from '@app/testing/first-render';
import { expect, test } from 'vitest';
import remote from './remote.ts';

test.each(Object.keys(remote.routes))('the first render of %s is the same for every visitor', async (path) => {
  const [first, second] = await renderForTwo(remote, path);

  expect(first).toContain('<h1');
  expect(second).toBe(first);
});
