import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

// Test files run one after another in the same process, because a process and a DOM for each cost more than the tests.
// Each file gets new modules and an empty page, so that it passes after every other file as it does alone.
vi.resetModules();
document.head.replaceChildren();
document.body.replaceChildren();
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, '', '/');

// Modules listen to the page as long as there is one: for a test file, until its end.
const listeners: (() => void)[] = [];
for (const target of [window, document]) {
  const add = target.addEventListener.bind(target);
  target.addEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ) => {
    listeners.push(() => target.removeEventListener(type, listener, options));
    add(type, listener, options);
  };
  afterAll(() => {
    target.addEventListener = add;
  });
}
afterAll(() => {
  for (const remove of listeners) remove();
});

afterEach(() => cleanup());

// What is waited for comes later on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
