import { expect, test, vi } from 'vitest';
import type { Source } from '@app/contracts/resolution';
import { expirePendingChunks } from './chunk-elements.ts';
import { loadEntryWithIntegrity, registerRelease } from './load-entry.ts';

vi.mock('./runtime.ts', () => ({ runtime: { registerRemotes: () => undefined } }));

const URL = 'https://site.example/releases/news/1.0.0/remoteEntry.js';

/** Lets the federation runtime load the entry of a release, and keeps the script that would be added to the page. */
function load(globalName: string, integrity: string, source: Source = 'stable') {
  const entry = { url: URL, integrity, globalName };
  registerRelease({ unit: 'news', version: '1.0.0', source, entry });
  const scripts: HTMLScriptElement[] = [];
  vi.spyOn(document.head, 'append').mockImplementation((node) => void scripts.push(node as HTMLScriptElement));
  const remoteInfo = { name: globalName, entry: URL, entryGlobalName: globalName, type: 'global' as const };
  return { scripts, loading: loadEntryWithIntegrity.loadEntry?.({ remoteInfo } as never) };
}

test.each([
  { of: 'a release', source: 'stable', integrity: 'sha384-right' },
  { of: 'the computer of QA', source: 'local', integrity: '' },
] as const)('an entry of $of is loaded with the integrity “$integrity”', async ({ source, integrity }) => {
  const container = { get: () => undefined };
  vi.stubGlobal(`news_of_${source}`, container);

  const { scripts, loading } = load(`news_of_${source}`, integrity, source);
  expect(scripts).toEqual([expect.objectContaining({ integrity, crossOrigin: 'anonymous' })]);
  scripts[0]?.onload?.(new Event('load'));
  expect(await loading).toBe(container);
});

test.each(['stable', 'canary', 'pin', 'fallback'] as const)(
  'an entry of the source %s without a hash is not fetched',
  async (source) => {
    const { scripts, loading } = load(`news_${source}`, '', source);

    await expect(loading).rejects.toThrow('Loading chunk news failed');
    expect(scripts).toEqual([]);
  },
);

test('an element with the container’s name as its id is not taken for the container', async () => {
  vi.stubGlobal('news_element', document.createElement('div'));

  const { scripts, loading } = load('news_element', 'sha384-right');
  scripts[0]?.onload?.(new Event('load'));
  await expect(loading).rejects.toThrow(
    expect.objectContaining({ message: 'Loading chunk news failed', type: 'missing' }),
  );
});

test.each([
  { end: 'error', type: 'error', act: (script?: HTMLScriptElement) => void script?.onerror?.(new Event('error')) },
  { end: 'time limit', type: 'timeout', act: expirePendingChunks },
])('on $end a script is removed, and its error names the unit', async ({ type, act }) => {
  const { scripts, loading } = load(`news_${type}`, 'sha384-gone');
  const remove = vi.spyOn(scripts[0]!, 'remove');

  act(scripts[0]);
  expect(remove).toHaveBeenCalledOnce();
  await expect(loading).rejects.toThrow(expect.objectContaining({ message: 'Loading chunk news failed', type }));
});
