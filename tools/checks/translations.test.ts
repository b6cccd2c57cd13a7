import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES, ERRORS } from '../../shared/contracts/src/errors.ts';
import { LANGUAGES, ORIGINAL_LANGUAGE } from '../../shared/contracts/src/languages.ts';
import type { Routes } from '../../shared/contracts/src/pages.ts';
import { expect, test } from 'vitest';
import { compileMessages, nameOfCatalogue } from '../build/message-loader.ts';
import { listCatalogues, listLanguages } from '../build/translations-plugin.ts';

const FOLDER = join(import.meta.dirname, '../../translations');

const originals = new Map(
  globSync('{shell,remotes/*,shared/*}/src/**/messages/en.json', { cwd: join(FOLDER, '..') }).map((path) => [
    nameOfCatalogue(path),
    read(join(FOLDER, '..', path)),
  ]),
);

const API = {
  'api/documents': 'api/src/delivery/pages/documents.en.json',
  'api/interstitials': 'api/src/foundation/http/interstitials.en.json',
  'api/mails': 'api/src/product/mail/mails.en.json',
};
for (const [name, path] of Object.entries(API)) originals.set(name, read(join(FOLDER, '..', path)));

// The API's titles of errors are originals as well.
for (const code of ERROR_CODES)
  Object.assign(originals.get('tools/reference') ?? {}, { [`errors.title.${code}`]: ERRORS[code].title });

// What a link is shared with is translated by its text.
const shared: Record<string, string> = {};
for (const file of globSync('{shell/src/pages,remotes/*/src}/routes.ts', { cwd: join(FOLDER, '..') })) {
  const { routes } = (await import(join(FOLDER, '..', file))) as { routes: Routes };
  for (const { shareTitle, description } of Object.values(routes))
    Object.assign(shared, { [shareTitle]: shareTitle, [description]: description });
}
originals.set('api/sharing', shared);

function read(path: string): Record<string, string> {
  return Object.fromEntries(textsIn(JSON.parse(readFileSync(path, 'utf8'))));
}

/** Each text with its id; the catalogues of the API are nested. */
function textsIn(value: unknown, id = ''): [id: string, text: string][] {
  if (typeof value === 'string') return [[id, value]];
  return Object.entries(value as object).flatMap(([key, one]) => textsIn(one, id === '' ? key : `${id}.${key}`));
}

/** The placeholders of a message, each once, with their formats. */
function placeholdersOf(message: unknown): string[] {
  if (!Array.isArray(message)) return [];
  const found = message.flatMap((part: unknown): string[] => {
    if (!Array.isArray(part)) return [];
    const [name, format = 'text', choices] = part as [string, string?, Record<string, unknown>?];
    return [`${name}: ${format}`, ...Object.values(choices ?? {}).flatMap(placeholdersOf)];
  });
  return [...new Set(found)].sort();
}

function placeholders(messages: Record<string, string>): Record<string, string[]> {
  const compiled = compileMessages(JSON.stringify(messages));
  return Object.fromEntries(Object.entries(compiled).map(([id, message]) => [id, placeholdersOf(message)]));
}

test('each language that the footer offers has a folder of translations', () => {
  expect([ORIGINAL_LANGUAGE, ...listLanguages(FOLDER)].sort()).toEqual(Object.keys(LANGUAGES).sort());
});

for (const language of listLanguages(FOLDER)) {
  const catalogues = new Map(listCatalogues(join(FOLDER, language)).map(({ name, file }) => [name, read(file)]));

  test(`${language}: no text is missing`, () => {
    const missing = [...originals].flatMap(([name, texts]) =>
      Object.keys(texts)
        .filter((id) => !(id in (catalogues.get(name) ?? {})))
        .map((id) => `${name}: ${id}`),
    );
    expect(missing).toEqual([]);
  });

  test(`${language}: no translation is left of a text that is gone`, () => {
    const left = [...catalogues].flatMap(([name, texts]) =>
      Object.keys(texts)
        .filter((id) => !(id in (originals.get(name) ?? {})))
        .map((id) => `${name}: ${id}`),
    );
    expect(left).toEqual([]);
  });

  test(`${language}: no text of the API is that of the original, and each is composed`, () => {
    for (const name of Object.keys(API))
      for (const [id, text] of Object.entries(catalogues.get(name) ?? {})) {
        if (!/^(\{[^}]*\}[\s,()]*)+$/u.test(text)) expect([id, text]).not.toEqual([id, originals.get(name)?.[id]]);
        expect(text).toBe(text.normalize('NFC'));
      }
  });

  test(`${language}: each text has the placeholders of its original`, () => {
    for (const [name, texts] of catalogues) {
      const expected = placeholders(originals.get(name) ?? {});
      for (const [id, found] of Object.entries(placeholders(texts)))
        expect({ [`${name}: ${id}`]: found }).toEqual({ [`${name}: ${id}`]: expected[id] });
    }
  });
}
