import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CopyField } from './copy-field.tsx';

const VALUE = 'a-device-id-that-is-too-long-to-be-shown-as-a-whole-in-a-narrow-window';

afterEach(() => {
  cleanup();
  // The browser of the tests has none, and test files share it.
  Reflect.deleteProperty(document, 'execCommand');
});

/** Clicks Copy in a browser with this clipboard and this `execCommand`. Returns what `execCommand` copied. */
async function copy(clipboard: Pick<Clipboard, 'writeText'> | undefined, classic: () => boolean) {
  const selected: string[] = [];
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(clipboard as Clipboard);
  document.execCommand = () => {
    selected.push(document.querySelector('textarea')?.value ?? '');
    return classic();
  };
  render(<CopyField label="Device" value={VALUE} />);
  fireEvent.click(screen.getByRole('button', { name: 'Copy Device' }));
  await waitFor(() => expect(screen.getByRole('status').textContent).not.toBe(''));
  return selected;
}

test.each<[string, Pick<Clipboard, 'writeText'> | undefined]>([
  ['has no clipboard', undefined],
  ['refuses', { writeText: () => Promise.reject(new Error('refused')) }],
])('copies with execCommand in a browser that %s', async (_what, clipboard) => {
  expect(await copy(clipboard, () => true)).toEqual([VALUE]);

  expect(screen.getByRole('status').textContent).toBe('Copied');
  expect(document.querySelector('textarea')).toBeNull();
});

test('in an open dialog the text is copied, and the focus stays on the button', async () => {
  const within: (string | undefined)[] = [];
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard);
  // Outside an open dialog nothing takes the focus, so nothing would be selected.
  document.execCommand = () => within.push(document.querySelector('textarea')?.closest('dialog')?.id) > 0;
  render(
    <dialog id="open" open>
      <CopyField label="Device" value={VALUE} />
    </dialog>,
  );
  const button = screen.getByRole('button', { name: 'Copy Device' });
  button.focus();
  fireEvent.click(button);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Copied'));

  expect(within).toEqual(['open']);
  expect(document.activeElement).toBe(button);
});

test.each<[string, () => boolean]>([
  ['refuses', () => false],
  [
    'throws',
    () => {
      throw new Error('unknown command');
    },
  ],
])('when execCommand %s too, the whole value is shown and selected', async (_what, classic) => {
  await copy(undefined, classic);

  expect(screen.getByRole('status').textContent).toBe('Clipboard not supported!');
  expect(screen.getByText(VALUE)).toBeTruthy();
  // An effect selects it, after the status is there.
  await waitFor(() => expect(String(getSelection())).toBe(VALUE));
});

test('a click before the value arrives copies the value when it arrives', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard);
  const { rerender } = render(<CopyField label="Device" value={undefined} />);
  fireEvent.click(screen.getByRole('button', { name: 'Copy Device' }));
  expect(writeText).not.toHaveBeenCalled();

  rerender(<CopyField label="Device" value={VALUE} />);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Copied'));
  expect(writeText.mock.calls).toEqual([[VALUE]]);
});

test('a value that has not arrived yet keeps its line', () => {
  const { container } = render(<CopyField label="Device" value={undefined} />);

  expect(container.querySelector('code')?.textContent).toBe('\u00a0');
});

test('a click before the value arrives copies only the first value', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard);
  const { rerender } = render(<CopyField label="Device" value={undefined} />);
  fireEvent.click(screen.getByRole('button', { name: 'Copy Device' }));
  for (const value of [VALUE, 'another']) rerender(<CopyField label="Device" value={value} />);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Copied'));

  expect(writeText.mock.calls).toEqual([[VALUE]]);
});

test('a value is shortened again after a successful copy', async () => {
  let works = false;
  await copy(undefined, () => works);
  expect(screen.getByText(VALUE)).toBeTruthy();

  works = true;
  fireEvent.click(screen.getByRole('button', { name: 'Copy Device' }));
  await waitFor(() => expect(screen.queryByText(VALUE)).toBeNull());
});
