import { expect, test, vi } from 'vitest';

test('a page that came back wakes the scheduler of React, and no other channel', async () => {
  const woken: number[] = [];
  let made = 0;
  const Channel = class {
    nth = ++made;
    port2 = { postMessage: () => woken.push(this.nth) };
  };
  vi.stubGlobal('MessageChannel', Channel);
  await import('./wake-react.ts');
  const ofReact = new MessageChannel();
  const other = new MessageChannel();

  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(woken).toEqual([]);
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(woken).toEqual([1]);
  expect([ofReact, other].map((channel) => Object.getPrototypeOf(channel) === Channel.prototype)).toEqual([
    false,
    true,
  ]);
});
