import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { Carousel } from './carousel.tsx';

const SLIDES = ['one', 'two', 'three'].map((id) => ({ id, caption: id, content: <p>{id}</p> }));

afterEach(cleanup);

const shown = () => screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.value;

function open() {
  render(<Carousel label="Slides" slides={SLIDES} />);
  return screen.getByRole('region', { name: 'Slides' });
}

test.each([{ altKey: true }, { metaKey: true }])(
  'an arrow key with %o goes back in the browser, and turns nothing',
  (held) => {
    const carousel = open();

    expect(fireEvent.keyDown(carousel, { key: 'ArrowRight', ...held })).toBe(true);
    expect(shown()).toBe('one');
    expect(fireEvent.keyDown(carousel, { key: 'ArrowRight' })).toBe(false);
    expect(shown()).toBe('two');
  },
);

test('a slide stays for five seconds, and longer while the pointer or the focus is on it', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const carousel = open();
  const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

  wait(4999);
  expect(shown()).toBe('one');
  wait(1);
  expect(shown()).toBe('two');

  fireEvent.pointerEnter(carousel, { pointerType: 'mouse' });
  wait(20_000);
  expect(shown()).toBe('two');
  fireEvent.pointerLeave(carousel);
  wait(5000);
  expect(shown()).toBe('three');

  act(() => screen.getByRole('radio', { name: 'three' }).focus());
  wait(20_000);
  expect(shown()).toBe('three');
});

test('a screen reader is told of a slide that the visitor chose, and of none that came by itself', () => {
  const carousel = open();
  const slides = carousel.querySelector('[aria-live]');
  expect(slides?.getAttribute('aria-live')).toBe('off');

  fireEvent.click(screen.getByRole('button', { name: 'Stop turning the slides' }));
  expect(slides?.getAttribute('aria-live')).toBe('polite');
});

test('up and down turn it from a caption, which gets the focus, and scroll the page from elsewhere', () => {
  const carousel = open();
  expect(fireEvent.keyDown(carousel, { key: 'ArrowDown' })).toBe(true);
  expect(shown()).toBe('one');

  expect(fireEvent.keyDown(screen.getByRole('radio', { name: 'one' }), { key: 'ArrowDown' })).toBe(false);
  expect(shown()).toBe('two');
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'two' }));
});

test('its captions are one group of radio buttons for a screen reader', () => {
  open();
  const owned = screen.getByRole('radiogroup', { name: 'Slides' }).getAttribute('aria-owns');

  expect(owned).toBe(
    screen
      .getAllByRole('radio')
      .map(({ id }) => id)
      .join(' '),
  );
});
