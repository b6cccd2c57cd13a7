import { expect, test } from 'vitest';
import { presentStack } from './present-stack.ts';

test('a stack names the lines of releases, and no path of this machine', () => {
  const stack = [
    'Error: no heading',
    '    at Page (tools@0.2.0:12:5)',
    '    at renderToString (shell@0.1.0:900:1)',
    '    at main (file:///srv/site/dist/api/render.js:40:3)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
  ].join('\n');

  expect(presentStack(stack)).toBe(
    'Error: no heading\n    at Page (tools@0.2.0:12:5)\n    at renderToString (shell@0.1.0:900:1)',
  );
});

test('threat 42: the error of a page cannot control the terminal that shows it', () => {
  expect(presentStack('Error: \u001b]0;mine\u0007\u001b[2Jgone\r\n  at x')).toBe('Error: ]0;mine[2Jgone\n  at x');
  expect(presentStack('x'.repeat(100_000)).length).toBeLessThanOrEqual(2000);
});
