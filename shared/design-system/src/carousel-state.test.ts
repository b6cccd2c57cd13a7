import { describe, expect, test } from 'vitest';
import { carouselAfter, eventOfKey, isTurning, startCarousel, swipe, type CarouselEvent } from './carousel-state.ts';

const three = startCarousel(3);
const at = { x: 200, y: 100 };

test('after the last slide comes the first, and before the first the last', () => {
  const last = carouselAfter(three, { type: 'wentBack' });

  expect(last.index).toBe(2);
  expect(carouselAfter(last, { type: 'wentNext' }).index).toBe(0);
});

test('a slide that does not exist is not gone to', () => {
  expect(carouselAfter(three, { type: 'wentTo', index: 9 }).index).toBe(2);
});

describe('it turns by itself', () => {
  test('when nothing holds it', () => {
    expect(isTurning(three, false)).toBe(true);
  });

  test('but not for someone who wants stillness', () => {
    expect(isTurning(three, true)).toBe(false);
  });

  test.each<CarouselEvent>([{ type: 'hovered', is: true }, { type: 'focused', is: true }, { type: 'pauseToggled' }])(
    'but not once it was $type',
    (event) => {
      expect(isTurning(carouselAfter(three, event), false)).toBe(false);
    },
  );

  test('and goes on when the pointer leaves, unless the focus is still inside', () => {
    const both = carouselAfter(carouselAfter(three, { type: 'hovered', is: true }), { type: 'focused', is: true });
    const focusOnly = carouselAfter(both, { type: 'hovered', is: false });

    expect(isTurning(focusOnly, false)).toBe(false);
    expect(isTurning(carouselAfter(focusOnly, { type: 'focused', is: false }), false)).toBe(true);
  });
});

describe('a finger', () => {
  test.each([
    { x: 160, y: 110, means: 'wentNext' },
    { x: 240, y: 90, means: 'wentBack' },
    { x: 161, y: 100, means: undefined },
    { x: 239, y: 100, means: undefined },
    { x: 150, y: 180, means: undefined },
  ])('that goes from 200, 100 to $x, $y means $means', ({ x, y, means }) => {
    expect(swipe(at, { x, y })?.type).toBe(means);
  });
});

test('arrow keys turn it, other keys do not', () => {
  expect([eventOfKey('ArrowLeft')?.type, eventOfKey('ArrowRight')?.type, eventOfKey('a')]).toEqual([
    'wentBack',
    'wentNext',
    undefined,
  ]);
});
