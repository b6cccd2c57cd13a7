import { rmSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import { throwInRender, type Change } from '../fixtures/next-release.ts';
import { expect, test, type Site } from '../fixtures/site.ts';

const UNIT = 'tools';
const PATH = '/encrypter';
const HEADING = 'Script encrypter';

interface Failure {
  name: string;
  /** What is wrong in the release since it was built. */
  change?: Change;
  /** What happens to its files on the disk: which file is hit, and how. */
  damage?: { file: RegExp; act: (path: string) => void };
  /** What the page reports. */
  report: 'error' | 'crashed';
}

const ENTRY = /^remoteEntry/;
const CHUNK = /js\/encrypter-page/;
const SHELL = /js\/shell\./;
const THROWS: Failure = {
  name: 'its page throws in its render',
  change: throwInRender('encrypter-page'),
  report: 'crashed',
};

const FAILURES: Failure[] = [
  { name: 'its entry is gone', damage: { file: ENTRY, act: remove }, report: 'error' },
  { name: 'the chunk of its page is gone', damage: { file: CHUNK, act: remove }, report: 'error' },
  { name: 'the chunk of its page is cut', damage: { file: CHUNK, act: cut }, report: 'error' },
  { name: 'one bit of its entry is turned', damage: { file: ENTRY, act: turnBit }, report: 'error' },
  { name: 'its page throws while it is loaded', change: throwInModule, report: 'crashed' },
  THROWS,
];

for (const failure of FAILURES)
  test(`when ${failure.name}, a unit comes in its last good version, and the failure is reported`, async ({
    page,
    site,
  }, info) => {
    const version = await publishBroken(page, site, UNIT, failure, info);
    const reported = page.waitForResponse('**/api/load-reports');
    await page.goto(PATH);

    await expect(page.getByRole('heading', { level: 1, name: HEADING })).toBeVisible();
    const shown = page.locator(`[data-unit="${UNIT}"]`);
    await expect(shown).toHaveAttribute('data-source', 'fallback');
    await expect(shown).not.toHaveAttribute('data-version', version);
    const report = await reported;
    expect(report.request().postDataJSON()).toEqual({ unit: UNIT, version, failure: failure.report });
    expect(report.status()).toBe(204);

    // The tab remembers what has failed: after a reload the page comes at once.
    const again = page.waitForRequest('**/api/load-reports', { timeout: 500 }).catch(() => undefined);
    await page.reload();
    await expect(shown).toHaveAttribute('data-source', 'fallback');
    expect(await again).toBeUndefined();
    await site.withdraw(UNIT);
  });

test('while the database is away, a unit comes in its last good version, too', async ({ page, site }, info) => {
  await publishBroken(page, site, UNIT, THROWS, info);
  await site.withoutDatabase(async () => {
    expect((await page.request.get('/api/keysystem/state?hwid=device-1234&zone=zone-1')).status()).toBe(503);
    await page.goto(PATH);

    await expect(page.getByRole('heading', { level: 1, name: HEADING })).toBeVisible();
    await expect(page.locator(`[data-unit="${UNIT}"]`)).toHaveAttribute('data-source', 'fallback');
  });
  await site.withdraw(UNIT);
});

test('a server that lost its disk serves the same releases, which it fetches from the database', async ({
  page,
  site,
}) => {
  await site.publish('tools', '9.1.0');
  await site.withoutServer(() => {
    rmSync(join(site.folderOf('tools', '9.1.0'), '../..'), { recursive: true });
    return Promise.resolve();
  });
  await page.goto('/encrypter');

  await expect(page.locator('[data-unit="tools"]')).toHaveAttribute('data-version', '9.1.0');
  await expect(page.locator('[data-unit="tools"]')).toHaveAttribute('data-source', 'stable');
  expect((await page.request.get('/readyz')).status()).toBe(200);
  await site.withdraw('tools');
});

/** Its stylesheet stands in the document, and cannot be gone. */
const SHELL_FAILURES: Failure[] = [
  { name: 'script is gone', damage: { file: SHELL, act: remove }, report: 'error' },
  { name: 'script has one bit turned', damage: { file: SHELL, act: turnBit }, report: 'error' },
  {
    name: 'script throws before it has rendered',
    change: (name, text) => (SHELL.test(name) ? `throw new Error("planted");${text}` : text),
    report: 'crashed',
  },
  {
    name: 'second task throws',
    change: (name, text) =>
      SHELL.test(name) ? text.replace('document.getElementById("root")', '(()=>{throw new Error("planted")})()') : text,
    report: 'crashed',
  },
];

for (const failure of SHELL_FAILURES)
  test(`when the shell's ${failure.name}, the last good shell comes at once, and the failure is reported`, async ({
    page,
    site,
  }, info) => {
    const version = await publishBroken(page, site, 'shell', failure, info);
    await page.goto('/plans');

    await expect(page.getByRole('heading', { level: 1, name: 'Pick your plan' })).toBeVisible();
    // The report leaves while the page is left, so the registry is asked for it.
    await expect.poll(() => site.countFailed('shell', version)).toBe(1);

    // The next page comes with the last good shell from the start.
    let loads = 0;
    page.on('load', () => loads++);
    await page.goto(PATH);
    await expect(page.getByRole('heading', { level: 1, name: HEADING })).toBeVisible();
    expect(loads).toBe(1);
    await site.withdraw('shell');
  });

/**
 * Publishes a release that fails. A file is hit when the browser asks for it: the server looks at its files, too, and from
 * then on gives the last good version by itself. It is a file of this release alone: what other releases have as well
 * would be taken from them.
 * @returns its version
 */
async function publishBroken(
  page: Page,
  site: Site,
  unit: string,
  { change, damage }: Failure,
  info: TestInfo,
): Promise<string> {
  const version = `1.0.0-${info.testId}`;
  const isHitIn = (name: string) => damage?.file.test(name) === true;
  await site.publish(
    unit,
    version,
    change ?? ((name, text) => (isHitIn(name) && name.endsWith('.js') ? `${text}// ${version}\n` : text)),
  );
  if (!damage) return version;

  const folder = site.folderOf(unit, version);
  const { files } = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as { files: object };
  const hit = Object.keys(files).find(isHitIn) ?? '';
  let isHit = false;
  await page.route(
    ({ pathname }) => pathname === `/releases/${unit}/${hit}`,
    (route) => {
      if (!isHit) for (const ending of ['', '.br', '.gz']) damage.act(join(folder, hit + ending));
      isHit = true;
      return route.continue();
    },
  );
  return version;
}

function remove(path: string) {
  rmSync(path);
}

function cut(path: string) {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
}

function turnBit(path: string) {
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

function throwInModule(name: string, text: string): string {
  return CHUNK.test(name) ? text.replace(/(\d+\([\w,]*\)\{)/, '$1throw new TypeError("planted");') : text;
}
