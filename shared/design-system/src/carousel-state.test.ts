import { describe, expect, test } from 'vitest';
import {
  carouselReducer,
  eventOfKey,
  isTurning,
  sideOf,
  startCarousel,
  swipe,
  type CarouselEvent,
} from './carousel-state.ts';

const three = startCarousel(3);
const at = { x: 200, y: 100 };

test('after the last slide comes the first, and before the first the last', () => {
  const last = carouselReducer(three, { type: 'wentBack' });

  expect(last.index).toBe(2);
  expect(carouselReducer(last, { type: 'wentNext' }).index).toBe(0);
});

test('an index beyond the end leads to the last slide', () => {
  expect(carouselReducer(three, { type: 'wentTo', index: 9 }).index).toBe(2);
});

describe('it turns by itself', () => {
  test('when nothing holds it', () => {
    expect(isTurning(three, false)).toBe(true);
  });

  test('but not for a visitor who wants stillness', () => {
    expect(isTurning(three, true)).toBe(false);
  });

  test.each<CarouselEvent>([
    { type: 'hovered', is: true },
    { type: 'focused', is: true },
    { type: 'pauseToggled' },
    { type: 'dragged', toward: 'next' },
  ])('but not once it was $type', (event) => {
    expect(isTurning(carouselReducer(three, event), false)).toBe(false);
  });

  test('and goes on when the pointer leaves, unless the focus is still inside', () => {
    const both = carouselReducer(carouselReducer(three, { type: 'hovered', is: true }), { type: 'focused', is: true });
    const focusOnly = carouselReducer(both, { type: 'hovered', is: false });

    expect(isTurning(focusOnly, false)).toBe(false);
    expect(isTurning(carouselReducer(focusOnly, { type: 'focused', is: false }), false)).toBe(true);
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

describe('the slides are a ring', () => {
  const sides = (count: number, events: readonly CarouselEvent[] = []) => {
    const state = events.reduce(carouselReducer, startCarousel(count));
    return Array.from({ length: count }, (_, slide) => sideOf(slide, state));
  };

  test('of which one is shown, with a neighbour on each side', () => {
    expect(sides(3)).toEqual(['here', 'next', 'back']);
    expect(sides(3, [{ type: 'wentBack' }])).toEqual(['next', 'back', 'here']);
    expect(sides(5)).toEqual(['here', 'next', 'away', 'away', 'back']);
  });

  test('and of two slides the other one is where the finger pulls', () => {
    expect(sides(2)).toEqual(['here', 'next']);
    expect(sides(2, [{ type: 'dragged', toward: 'back' }])).toEqual(['here', 'back']);
    expect(sides(2, [{ type: 'wentNext' }, { type: 'dragged', toward: 'next' }])).toEqual(['next', 'here']);
  });
});

test.each([
  ['ArrowLeft', 'wentBack', 'wentBack'],
  ['ArrowRight', 'wentNext', 'wentNext'],
  ['ArrowUp', undefined, 'wentBack'],
  ['ArrowDown', undefined, 'wentNext'],
  ['a', undefined, undefined],
])('%s means %s, and on a radio button %s', (key, meant, onRadio) => {
  expect([eventOfKey(key, false)?.type, eventOfKey(key, true)?.type]).toEqual([meant, onRadio]);
});
