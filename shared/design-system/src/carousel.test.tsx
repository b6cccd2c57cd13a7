import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import {
  Carousel,
  carouselReducer,
  eventOfKey,
  isTurning,
  sideOf,
  startCarousel,
  swipe,
  type CarouselEvent,
} from './carousel.tsx';

const SLIDES = ['one', 'two', 'three'].map((id) => ({ id, caption: id, content: <p>{id}</p> }));

afterEach(cleanup);

const shownCaption = () => screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.value;

function open() {
  render(<Carousel label="Slides" slides={SLIDES} />);
  return screen.getByRole('region', { name: 'Slides' });
}

test.each([{ altKey: true }, { metaKey: true }])(
  'an arrow key with %o is left to the browser and does not change the slide',
  (held) => {
    const carousel = open();

    expect(fireEvent.keyDown(carousel, { key: 'ArrowRight', ...held })).toBe(true);
    expect(shownCaption()).toBe('one');
    expect(fireEvent.keyDown(carousel, { key: 'ArrowRight' })).toBe(false);
    expect(shownCaption()).toBe('two');
  },
);

test('a slide advances after five seconds, and pauses while hovered or focused', () => {
  vi.useFakeTimers();
  const carousel = open();
  const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

  wait(4999);
  expect(shownCaption()).toBe('one');
  wait(1);
  expect(shownCaption()).toBe('two');

  fireEvent.pointerEnter(carousel, { pointerType: 'mouse' });
  wait(20_000);
  expect(shownCaption()).toBe('two');
  fireEvent.pointerLeave(carousel);
  wait(5000);
  expect(shownCaption()).toBe('three');

  act(() => screen.getByRole('radio', { name: 'three' }).focus());
  wait(20_000);
  expect(shownCaption()).toBe('three');
});

test('a screen reader announces slides that the visitor chose, and no automatic ones', () => {
  const carousel = open();
  const slides = carousel.querySelector('[aria-live]');
  expect(slides?.getAttribute('aria-live')).toBe('off');

  fireEvent.click(screen.getByRole('button', { name: 'Stop turning the slides' }));
  expect(slides?.getAttribute('aria-live')).toBe('polite');
});

test('up and down change the slide only while a caption has the focus', () => {
  const carousel = open();
  expect(fireEvent.keyDown(carousel, { key: 'ArrowDown' })).toBe(true);
  expect(shownCaption()).toBe('one');

  expect(fireEvent.keyDown(screen.getByRole('radio', { name: 'one' }), { key: 'ArrowDown' })).toBe(false);
  expect(shownCaption()).toBe('two');
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'two' }));
});

test('the captions are one radio group for a screen reader', () => {
  open();
  const owned = screen.getByRole('radiogroup', { name: 'Slides' }).getAttribute('aria-owns');

  expect(owned).toBe(
    screen
      .getAllByRole('radio')
      .map(({ id }) => id)
      .join(' '),
  );
});

const threeSlides = startCarousel(3);

test('the carousel wraps around at the last and the first slide', () => {
  const last = carouselReducer(threeSlides, { type: 'wentBack' });

  expect(last.index).toBe(2);
  expect(carouselReducer(last, { type: 'wentNext' }).index).toBe(0);
});

test('an index beyond the end selects the last slide', () => {
  expect(carouselReducer(threeSlides, { type: 'wentTo', index: 9 }).index).toBe(2);
});

test.each<[CarouselEvent | undefined, boolean, boolean]>([
  [undefined, false, true],
  [undefined, true, false],
  [{ type: 'hovered', is: true }, false, false],
  [{ type: 'focused', is: true }, false, false],
  [{ type: 'pauseToggled' }, false, false],
  [{ type: 'dragged', toward: 'next' }, false, false],
])('after %o, with prefers-reduced-motion %s, autoplay is %s', (event, isReduced, turns) => {
  expect(isTurning(event ? carouselReducer(threeSlides, event) : threeSlides, isReduced)).toBe(turns);
});

test('autoplay resumes when the pointer leaves, unless the focus is inside', () => {
  const both = carouselReducer(carouselReducer(threeSlides, { type: 'hovered', is: true }), {
    type: 'focused',
    is: true,
  });
  const focusOnly = carouselReducer(both, { type: 'hovered', is: false });

  expect(isTurning(focusOnly, false)).toBe(false);
  expect(isTurning(carouselReducer(focusOnly, { type: 'focused', is: false }), false)).toBe(true);
});

test.each([
  { x: 160, y: 110, means: 'wentNext' },
  { x: 240, y: 90, means: 'wentBack' },
  { x: 161, y: 100, means: undefined },
  { x: 239, y: 100, means: undefined },
  { x: 150, y: 180, means: undefined },
])('a swipe from 200, 100 to $x, $y means $means', ({ x, y, means }) => {
  expect(swipe({ x: 200, y: 100 }, { x, y })?.type).toBe(means);
});

function sidesAfter(count: number, events: readonly CarouselEvent[] = []) {
  const state = events.reduce(carouselReducer, startCarousel(count));
  return Array.from({ length: count }, (_, slide) => sideOf(slide, state));
}

test('one slide is shown, with a neighbour on each side', () => {
  expect(sidesAfter(3)).toEqual(['here', 'next', 'back']);
  expect(sidesAfter(3, [{ type: 'wentBack' }])).toEqual(['next', 'back', 'here']);
  expect(sidesAfter(5)).toEqual(['here', 'next', 'away', 'away', 'back']);
});

test('with two slides the other one is on the side that is swiped into view', () => {
  expect(sidesAfter(2)).toEqual(['here', 'next']);
  expect(sidesAfter(2, [{ type: 'dragged', toward: 'back' }])).toEqual(['here', 'back']);
  expect(sidesAfter(2, [{ type: 'wentNext' }, { type: 'dragged', toward: 'next' }])).toEqual(['next', 'here']);
});

test.each([
  ['ArrowLeft', 'wentBack', 'wentBack'],
  ['ArrowRight', 'wentNext', 'wentNext'],
  ['ArrowUp', undefined, 'wentBack'],
  ['ArrowDown', undefined, 'wentNext'],
  ['a', undefined, undefined],
])('the key %s means %s, and on a radio button %s', (key, meant, onRadio) => {
  expect([eventOfKey(key, false)?.type, eventOfKey(key, true)?.type]).toEqual([meant, onRadio]);
});
