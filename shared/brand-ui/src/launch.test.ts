import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hasOpened } from './launch.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each(['blur', 'pagehide', 'visibilitychange'])('%s of the page means that something opened', async (event) => {
  const page = new EventTarget();
  const opened = hasOpened(page);
  vi.advanceTimersByTime(1499);
  page.dispatchEvent(new Event(event));

  await expect(opened).resolves.toBe(true);
});

test('a page that is still in front after a second and a half shows that nothing opened', async () => {
  const page = new EventTarget();
  const opened = hasOpened(page);
  vi.advanceTimersByTime(1500);
  page.dispatchEvent(new Event('blur'));

  await expect(opened).resolves.toBe(false);
});
