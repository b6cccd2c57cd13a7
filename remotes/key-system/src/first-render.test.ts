import { renderForTwo } from '@app/testing/first-render';
import { expect, test } from 'vitest';
import remote from './remote.ts';

test.each(Object.keys(remote.routes))('the first render of %s is the same for every visitor', async (path) => {
  const [first, second] = await renderForTwo(remote, path);

  expect(first).toContain('<h1');
  expect(second).toBe(first);
});

test.each(['/key-system-2', '/rosaverx/key-system-2', '/apps/key-system-2'])(
  'the early link of %s is styled as the main button from the start',
  async (path) => {
    const [html] = await renderForTwo(remote, path);
    const links = html.match(/<a [^>]*data-early="[^>]*>/g) ?? [];

    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(link).toMatch(/class="[^"]*primary/);
  },
);

test.each(['/key-system-1', '/rosaverx/key-system-1', '/apps/key-system-1'])(
  '%s has no early link, because its captcha has to be passed first',
  async (path) => {
    const [html] = await renderForTwo(remote, path);

    expect(html).toContain('aria-disabled="true"');
    expect(html).not.toContain('data-early');
  },
);
