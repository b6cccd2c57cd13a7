import { afterEach, expect, test, vi } from 'vitest';
import type { Source } from '@app/contracts/resolution';
import { expirePendingChunks } from './chunk-elements.ts';
import { loadEntryWithIntegrity, registerRelease } from './load-entry.ts';

vi.mock('./runtime.ts', () => ({ runtime: { registerRemotes: () => undefined } }));

const URL = 'https://site.example/releases/news/1.0.0/remoteEntry.js';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Lets the federation runtime load the entry of a release, and keeps the script that would be added to the page. */
function load(globalName: string, integrity: string, source: Source = 'stable') {
  const entry = { url: URL, integrity, globalName };
  registerRelease({ unit: 'news', version: '1.0.0', source, entry });
  const scripts: HTMLScriptElement[] = [];
  vi.spyOn(document.head, 'append').mockImplementation((node) => void scripts.push(node as HTMLScriptElement));
  const remoteInfo = { name: globalName, entry: URL, entryGlobalName: globalName, type: 'global' as const };
  return { scripts, loading: loadEntryWithIntegrity.loadEntry?.({ remoteInfo } as never) };
}

test('the browser compares the entry of a remote with the hash of the resolution before it runs', async () => {
  const container = { get: () => undefined };
  vi.stubGlobal('news_checked', container);

  const { scripts, loading } = load('news_checked', 'sha384-right');
  expect(scripts).toEqual([expect.objectContaining({ integrity: 'sha384-right', crossOrigin: 'anonymous' })]);
  scripts[0]?.onload?.(new Event('load'));
  expect(await loading).toBe(container);
});

test('an element with the container’s name as id is not taken for the container', async () => {
  vi.stubGlobal('news_element', document.createElement('div'));

  const { scripts, loading } = load('news_element', 'sha384-right');
  scripts[0]?.onload?.(new Event('load'));
  await expect(loading).rejects.toThrow(
    expect.objectContaining({ message: 'Loading chunk news failed', type: 'missing' }),
  );
});

test('an entry without a hash is not fetched', async () => {
  const { scripts, loading } = load('news_unchecked', '');

  await expect(loading).rejects.toThrow('Loading chunk news failed');
  expect(scripts).toEqual([]);
});

test.each(['canary', 'pin', 'fallback'] as const)('nor is one of the source %s', async (source) => {
  const { scripts, loading } = load(`news_${source}`, '', source);

  await expect(loading).rejects.toThrow('Loading chunk news failed');
  expect(scripts).toEqual([]);
});

test('an entry from the computer of a browser of QA needs no hash', async () => {
  const container = { get: () => undefined };
  vi.stubGlobal('news_local', container);

  const { scripts, loading } = load('news_local', '', 'local');
  expect(scripts).toEqual([expect.objectContaining({ integrity: '', crossOrigin: 'anonymous' })]);
  scripts[0]?.onload?.(new Event('load'));
  expect(await loading).toBe(container);
});

test('a failed entry removes its script and names its unit', async () => {
  const { scripts, loading } = load('news_gone', 'sha384-gone');
  const remove = vi.spyOn(scripts[0]!, 'remove');

  scripts[0]?.onerror?.(new Event('error'));

  await expect(loading).rejects.toThrow('Loading chunk news failed');
  expect(remove).toHaveBeenCalledOnce();
});

test('an entry that does not answer fails when the time of its page is over', async () => {
  const { scripts, loading } = load('news_hung', 'sha384-hung');
  const remove = vi.spyOn(scripts[0]!, 'remove');

  expirePendingChunks();
  expect(remove).toHaveBeenCalledOnce();
  await expect(loading).rejects.toThrow(expect.objectContaining({ type: 'timeout' }));
});
