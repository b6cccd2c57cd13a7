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

/** The tools below a heading of docs/compatibility.md whose row says this. */
function toolsThat(heading: string, does: RegExp) {
  const [, rest = ''] = docs.split(`\n## ${heading}\n`);
  const [table = ''] = rest.split('\n## ');
  return [...table.matchAll(/^\| (\S+) \S+ \| (.*)$/gm)].flatMap(([, tool, row = '']) =>
    does.test(row) ? [tool] : [],
  );
}

/** The libraries that the page names in these words. */
function listed(words: RegExp) {
  const texts = [...screen.getByRole('region', { name: 'Libraries' }).querySelectorAll('dd')].map(
    (dd) => dd.textContent,
  );
  const [found] = texts.flatMap((text) => words.exec(text)?.[1] ?? []);
  return found?.replaceAll(/ \(.*?\)/g, '').split(/, | and /) ?? [];
}

test.each([
  { heading: 'Verifying our keys', words: /^(.+) check our keys/, does: /^verifies/, count: 8 },
  { heading: 'Verifying our keys', words: /\. (\S+ and \S+) can’t/, does: /^cannot/, count: 2 },
  { heading: 'Verifying our keys', words: /(\S+) needs typ/, does: /“jwt header is invalid”/, count: 1 },
  {
    heading: 'Verifying our keys',
    words: /Ed25519, (.+) find no key/,
    does: /with a set that says alg Ed25519/,
    count: 3,
  },
  { heading: 'Our webhooks', words: /Give (.+) the body/, does: /a parsed body: “Expected/, count: 2 },
  { heading: 'Our webhooks', words: /(\S+) [\d.]+ returns nothing/, does: /gives undefined/, count: 1 },
  { heading: 'Waiting', words: /^(.+) wait as/, does: /GET: waits as told; 429 to POST: (throws|hands)/, count: 5 },
  { heading: 'Waiting', words: /verify\. (.+) ask again too early/, does: /GET: tries again too early/, count: 3 },
  { heading: 'Waiting', words: /timeout of (.+)\.$/, does: /25 s: gives up before/, count: 2 },
])('the page says $words of libraries that did so in docs/compatibility.md', ({ heading, words, does, count }) => {
  expect(listed(words)).toHaveLength(count);
  expect(toolsThat(heading, does)).toEqual(expect.arrayContaining(listed(words)));
});
