import { packsSchema } from '@app/contracts/packs';
import { releaseSchema } from '@app/contracts/release';
import { Ajv2020 } from 'ajv/dist/2020.js';
import express from 'express';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { handleError } from '#api/foundation/http/handle-error.ts';
import { buildRelease, buildRoute } from '#api/test/delivery/build-release.ts';
import { listen } from '#api/test/listen.ts';
import { packsRoutes } from './packs.routes.ts';

const FILE = { sha384: '', bytes: 1 };
const PLATFORM = '/releases/shell/packs/platform.1a2b3c4d.tgz';

/** A site whose shell has these files, beside a canary of the shell with newer packs. */
async function openSite(...names: string[]): Promise<string> {
  const stable = buildRelease('shell', { files: Object.fromEntries(names.map((name) => [name, FILE])) });
  const canary = {
    release: buildRelease('shell', { version: '9.0.0', files: { 'packs/platform.99999999.tgz': FILE } }),
    share: 10_000,
  };
  const tools = buildRelease('tools', { files: { 'packs/tools.12345678.tgz': FILE } });
  const units = new Map([
    ['shell', { stable, canary }],
    ['tools', { stable: tools }],
  ]);
  const registry = { snapshot: () => ({ revision: 1, units, unserved: [] }) };
  return listen(
    express().use(
      '/api',
      packsRoutes({ registry }),
      handleError(() => undefined),
    ),
  );
}

test('the packs of a site are those of the stable shell, under names unique to their content', async () => {
  const site = await openSite('static/js/shell.12345678.js', 'packs/platform.1a2b3c4d.tgz', 'packs/odd.tgz');
  const answer = await fetch(`${site}/api/packs`);

  expect(v.parse(packsSchema, await answer.json())).toEqual({ packs: { '@app/platform': PLATFORM } });
  expect(answer.headers.get('cache-control')).toBe('no-cache');
});

test('the short address of a pack redirects to the newest one', async () => {
  const site = await openSite('packs/platform.1a2b3c4d.tgz');
  const ask = (name: string, init: RequestInit = {}) =>
    fetch(`${site}/api/packs/${name}`, { redirect: 'manual', ...init });

  const answer = await ask('platform.tgz');
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe(PLATFORM);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect((await ask('platform.tgz', { method: 'HEAD' })).status).toBe(302);
  for (const name of ['tools.tgz', 'shell.tgz', 'constructor', '..%2fplatform.tgz', 'platform.1a2b3c4d.tgz'])
    expect((await ask(name)).status, name).toBe(404);
  expect((await ask('platform.tgz', { method: 'POST' })).status).toBe(405);
});

test('the schema of release.json is published, and agrees with the server’s validation', async () => {
  const answer = await fetch(`${await openSite()}/api/packs/release.schema.json`);
  expect(answer.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
  const isRelease = new Ajv2020().compile((await answer.json()) as object);

  const release = buildRelease('tools', { routes: [buildRoute('/portfolio')] });
  for (const changes of [{}, { unit: 'Tools' }, { version: '1' }, { routes: [{}] }, { files: { 'a.js': {} } }]) {
    const changed = { ...release, ...changes };
    expect(isRelease(changed), JSON.stringify(changes)).toBe(v.is(releaseSchema, changed));
  }
  expect(isRelease(release)).toBe(true);
});

test('a shell of an earlier build has no packs', async () => {
  expect(await (await fetch(`${await openSite()}/api/packs`)).json()).toEqual({ packs: {} });
});
