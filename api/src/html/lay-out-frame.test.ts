import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { LAY_OUT_FRAME, layOutFrameFirst } from './lay-out-frame.ts';

test('the navbar is laid out before the page, by a script that is gone afterwards', () => {
  const html = layOutFrameFirst('<header>V5</header><main id="content"><main>nested</main></main>');
  expect(html).toBe(
    `<header>V5</header><script>${LAY_OUT_FRAME}</script><main id="content"><main>nested</main></main>`,
  );

  const done: string[] = [];
  const body = Object.defineProperty({}, 'offsetHeight', { get: () => done.push('laid out') });
  runInNewContext(LAY_OUT_FRAME, { document: { currentScript: { remove: () => done.push('gone') }, body } });
  expect(done).toEqual(['gone', 'laid out']);
});

test('what has no page stays as it is', () => {
  expect(layOutFrameFirst('<p>Away</p>')).toBe('<p>Away</p>');
});
