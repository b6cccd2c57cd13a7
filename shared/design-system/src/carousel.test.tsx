import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Carousel } from './carousel.tsx';

afterEach(cleanup);

const shown = () => screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.value;

function open() {
  const slides = ['one', 'two', 'three'].map((id) => ({ id, caption: id, content: <p>{id}</p> }));
  render(<Carousel label="Slides" slides={slides} />);
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

test('a screen reader is told of a slide that the visitor chose, and of none that came by itself', () => {
  const carousel = open();
  const slides = carousel.querySelector('[aria-live]');
  expect(slides?.getAttribute('aria-live')).toBe('off');

  fireEvent.click(screen.getByRole('button', { name: 'Stop turning the slides' }));
  expect(slides?.getAttribute('aria-live')).toBe('polite');
});
