import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';

afterEach(cleanup);

test('a focused button that gets disabled keeps the focus, and ignores clicks and submits', () => {
  const clicked = vi.fn();
  const sent = vi.fn((event: Event) => event.preventDefault());
  const form = (isSending: boolean) => (
    <form onSubmit={({ nativeEvent }) => sent(nativeEvent)}>
      <Button type="submit" disabled={isSending} onClick={clicked}>
        Send
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  const button = screen.getByRole('button');
  button.focus();
  fireEvent.click(button);
  expect([clicked.mock.calls.length, sent.mock.calls.length]).toEqual([1, 1]);

  rerender(form(true));
  fireEvent.click(button);

  expect([clicked.mock.calls.length, sent.mock.calls.length]).toEqual([1, 1]);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(button.matches(':disabled')).toBe(false);
  expect(document.activeElement).toBe(button);
});
