import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { LAY_OUT_PART, layOutInParts } from './lay-out-in-parts.ts';

const SCRIPT = `<script>${LAY_OUT_PART}</script>`;

test('the script lays out what is there, and is gone by then', () => {
  const done: string[] = [];
  const body = Object.defineProperty({}, 'offsetHeight', { get: () => done.push('laid out') });
  runInNewContext(LAY_OUT_PART, { document: { currentScript: { remove: () => done.push('gone') }, body } });
  expect(done).toEqual(['gone', 'laid out']);
});

test('the navbar is laid out before the page, and the header of the page before the rest of it', () => {
  expect(
    layOutInParts('<header>V5</header><main id="content"><header>$1</header><header>2</header></main><main>3</main>'),
  ).toBe(
    `<header>V5</header>${SCRIPT}<main id="content"><header>$1</header>${SCRIPT}<header>2</header></main><main>3</main>`,
  );
});

test('a page without a header is laid out in one part after the navbar', () => {
  expect(layOutInParts('<header>V5</header><main><p>Key</p></main>')).toBe(
    `<header>V5</header>${SCRIPT}<main><p>Key</p></main>`,
  );
});

test('what has no page stays as it is', () => {
  expect(layOutInParts('<header>V5</header><p>Away</p>')).toBe('<header>V5</header><p>Away</p>');
});
