import { beforeEach, expect, test, vi } from 'vitest';
import { hasOpened } from './launch.tsx';

beforeEach(() => void vi.useFakeTimers());

test.each(['blur', 'pagehide', 'visibilitychange'])(
  '%s within 1.5 s after the click means that the app opened',
  async (event) => {
    const page = new EventTarget();
    const opened = hasOpened(page);
    vi.advanceTimersByTime(1499);
    page.dispatchEvent(new Event(event));

    await expect(opened).resolves.toBe(true);
  },
);

test('a page still in the foreground after 1.5 s means that no app opened', async () => {
  const page = new EventTarget();
  const opened = hasOpened(page);
  vi.advanceTimersByTime(1500);
  page.dispatchEvent(new Event('blur'));

  await expect(opened).resolves.toBe(false);
});
