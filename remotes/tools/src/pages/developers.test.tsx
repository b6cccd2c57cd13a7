import { closeBrowser, openBrowser, advanceTime, serve, visit } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import docs from '../../../../docs/compatibility.md?raw';
import remote from '../remote.ts';

let requests: ReturnType<typeof serve>;

beforeEach(async () => {
  openBrowser(new Date(2026, 2, 10, 12).getTime());
  requests = serve({});
  await visit(remote, '/developers');
});
afterEach(closeBrowser);

const part = (name: string) => within(screen.getByRole('region', { name }));

test('only GET calls can be run, and a pending one is not sent again', async () => {
  expect(part('Check a key online').queryByRole('button', { name: /^Run/ })).toBeNull();
  for (const button of screen.getAllByRole('button', { name: /^Run/ }))
    expect(button.getAttribute('aria-label')).toMatch(/^Run GET \//);

  const run = part('Ask for the key').getByRole('button', { name: /^Run GET/ });
  fireEvent.click(run);
  await advanceTime(0);
  fireEvent.click(run);
  await advanceTime(0);
  expect(requests.filter(({ path }) => path.startsWith('/api/key?'))).toEqual([
    { path: '/api/key?hwid=demo-device-0001&zone=demo-zone&app=main', method: undefined, body: undefined },
  ]);
});

test('choosing a language at one sample changes all samples', () => {
  fireEvent.click(part('Check a key online').getByRole('tab', { name: 'Lua' }));

  for (const name of ['Ask for the key', 'Check a key offline', 'Errors'])
    expect(part(name).getByRole('tab', { name: 'Lua' }).getAttribute('aria-selected')).toBe('true');
});

test('the codes include those of a client without an answer, and the rule for unknown ones', () => {
  const codes = part('Results');

  expect(codes.getByText('UNTRUSTED')).toBeTruthy();
  expect(codes.getByText('NO_ANSWER')).toBeTruthy();
  expect(codes.getByText(/Treat any other code as not open/)).toBeTruthy();
});

test('what programs write is set as code, and a label in words is not', () => {
  const rules = part('Check a key offline');

  expect(rules.getByText('aud').tagName).toBe('CODE');
  expect(rules.getByText('The clock rule').tagName).toBe('B');
});

test('the sandbox opens with a click, at the address that can be copied', () => {
  const sandbox = part('Try it end to end');
  const link = sandbox.getByRole('link', { name: 'Open the sandbox' });

  expect(link.getAttribute('href')).toMatch(/^\/apps\/key-system-1\?app=sandbox&hwid=demo-\w+&zone=/);
  expect(sandbox.getByText(location.origin + link.getAttribute('href'), { selector: 'code, pre' })).toBeTruthy();
});

test('an author who registers an app is told of its statistics and their token', () => {
  const register = part('Add your app');

  expect(register.getByText(/^Ask for a read token/)).toBeTruthy();
  expect(register.getByRole('link', { name: 'Your app’s numbers' }).getAttribute('href')).toBe('/stats');
});

test('of the libraries for keys, the page says what docs/compatibility.md has seen them do', () => {
  const [, keys = ''] = docs.split('## Verifying our keys');
  const rows = [...keys.matchAll(/^\| (\S+) \S+ \| (verifies|cannot)(.*)$/gm)];
  const named = (did: RegExp) => rows.flatMap(([row, name]) => (name && did.test(row) ? [name] : []));
  const text = part('Libraries').getByText(/check our keys/).textContent;
  const list = (words: RegExp) => words.exec(text)?.[1]?.split(/, | and /) ?? [];

  const [able, unable, losing] = [
    list(/^(.+) check our keys/),
    list(/\. (\S+ and \S+) can’t/),
    list(/Ed25519, (.+) find no key/),
  ];
  expect([able.length, unable.length, losing.length]).toEqual([8, 2, 3]);
  expect(named(/ verifies/)).toEqual(expect.arrayContaining(able));
  expect(named(/ cannot/)).toEqual(expect.arrayContaining(unable));
  expect(named(/with a set that says alg Ed25519/)).toEqual(expect.arrayContaining(losing));
});
