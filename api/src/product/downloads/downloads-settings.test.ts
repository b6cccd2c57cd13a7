import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import exampleSettings from './downloads-settings.example.json' with { type: 'json' };
import { loadDownloads, NO_DOWNLOADS, parseDownloadsSettings } from './downloads-settings.ts';

const { android } = exampleSettings.downloads.v5;

test('the example of the downloads file is valid', () => {
  expect(parseDownloadsSettings(JSON.stringify(exampleSettings))).toEqual(exampleSettings);
});

test.each([
  {
    why: 'plain http',
    v5: { android: { ...android, url: 'http://downloads.arceusx.example/v5.apk' } },
    name: 'downloads.v5.android.url',
  },
  {
    why: 'a script as address',
    v5: { android: { ...android, url: 'javascript:alert(1)' } },
    name: 'downloads.v5.android.url',
  },
  {
    why: 'a host that is not listed',
    v5: { android: { ...android, url: 'https://evil.example/v5.apk' } },
    name: 'downloads.v5.android.url',
  },
  {
    why: 'a listed host as user name',
    v5: { android: { ...android, url: 'https://downloads.arceusx.example@evil.example/' } },
    name: 'downloads.v5.android.url',
  },
  { why: 'no version', v5: { android: { ...android, version: '' } }, name: 'downloads.v5.android.version' },
  { why: 'no size', v5: { android: { ...android, bytes: 0 } }, name: 'downloads.v5.android.bytes' },
  { why: 'half a checksum', v5: { android: { ...android, sha256: 'abc' } }, name: 'downloads.v5.android.sha256' },
  { why: 'an unknown platform', v5: { amiga: android }, name: 'downloads.v5.amiga' },
])('a downloads file with $why is rejected with the name of the field', ({ v5, name }) => {
  const text = JSON.stringify({ ...exampleSettings, downloads: { ...exampleSettings.downloads, v5 } });

  expect(() => parseDownloadsSettings(text)).toThrow(name);
});

test('a download host must be a host name and not a URL', () => {
  const text = JSON.stringify({ ...exampleSettings, hosts: ['https://downloads.arceusx.example'] });

  expect(() => parseDownloadsSettings(text)).toThrow('hosts.0 must be a host');
});

test('without a downloads file development has demo files and production has none', () => {
  expect(loadDownloads({ NODE_ENV: 'development' })).toBe('demo');
  expect(loadDownloads({ NODE_ENV: 'production' })).toBe(NO_DOWNLOADS);
});

test.each([undefined, '{', '{}', '[]'])(
  'an invalid downloads file (%s) stops the start with the name of the setting',
  (text) => {
    const folder = mkdtempSync(join(tmpdir(), 'downloads-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'downloads.json');
    if (text !== undefined) writeFileSync(path, text);

    expect(() => loadDownloads({ NODE_ENV: 'development', DOWNLOADS_FILE: path })).toThrow(/^DOWNLOADS_FILE: /);
  },
);
