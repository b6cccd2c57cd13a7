import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { openTerminal } from '#api/test/programs/open-terminal.ts';

const CORNER = {
  id: 'key-corner',
  name: 'Key Corner',
  logo: 'mark-2',
  description: 'Plans for every device.',
  discord: 'https://chat.key-corner.example/invite',
  buyLink: 'https://key-corner.example/plans',
  isArceusX: false,
  trusted: 8000,
  isHidden: false,
};
const MARKET = { ...CORNER, id: 'market', name: 'Plan Market', logo: 'letter', isArceusX: true, trusted: null };
const NIGHT = { ...CORNER, id: 'night', name: 'Night Shop' };

/** Adds CORNER. */
const ADD = [
  ...['reseller', 'add', CORNER.id, '--name', CORNER.name, '--logo', CORNER.logo],
  ...['--description', CORNER.description, '--discord', CORNER.discord, '--buy-link', CORNER.buyLink],
];

/** A terminal, a file for lists, and what the page of resellers shows. */
async function open(...listed: object[]) {
  const terminal = await openTerminal();
  const file = join(makeFolder(), 'resellers.json');
  const site = {
    ...terminal,
    file,
    readPage: async () =>
      ((await (await terminal.api.post('/api/resellers', {})).json()) as { name: string }[]).map(({ name }) => name),
    importText: (text: string, ...more: string[]) => {
      writeFileSync(file, text);
      return terminal.type('reseller', 'import', file, ...more);
    },
  };
  if (listed.length > 0) await site.importText(JSON.stringify(listed));
  return site;
}

test('adding, editing and removing a reseller is recorded in the audit', async () => {
  const { say, type, ask, readPage, listAudit } = await open(MARKET);
  const { name, logo, description, discord, buyLink } = CORNER;

  expect(
    await say(
      ...['reseller', 'add', 'key-corner', '--name', name, '--logo', logo, '--description', description],
      ...['--discord', discord, '--buy-link', buyLink, '--trusted', '8000', '--by', 'grace'],
    ),
  ).toEqual([0, 'added    key-corner']);
  expect(await ask('reseller', 'list')).toEqual([MARKET, CORNER]);
  expect(await readPage()).toEqual(['Plan Market', 'Key Corner']);
  expect(await say(...ADD, '--trusted', '8000')).toEqual([1, 'key-corner is there already; nothing was changed.']);

  const edited = await type('reseller', 'edit', 'market', '--partner', '--trusted', '12', '--name', 'Market');
  expect(edited).toMatchObject({ code: 0, out: 'changed  market' });
  expect(await ask('reseller', 'list')).toEqual([{ ...MARKET, name: 'Market', isArceusX: false, trusted: 12 }, CORNER]);

  expect(await type('reseller', 'remove', 'market')).toMatchObject({ out: 'moved    key-corner\nremoved  market' });
  expect(await readPage()).toEqual(['Key Corner']);
  expect((await listAudit()).map(({ kind, code, detail }) => [kind, code, JSON.parse(detail) as unknown])).toEqual([
    ['reseller', 'added', { reseller: 'market', by: 'ada' }],
    ['reseller', 'added', { reseller: 'key-corner', by: 'grace' }],
    ['reseller', 'changed', { reseller: 'market', by: 'ada' }],
    ['reseller', 'moved', { reseller: 'key-corner', by: 'ada' }],
    ['reseller', 'removed', { reseller: 'market', by: 'ada' }],
  ]);
});

test('the list of resellers is printed as a table', async () => {
  const { type } = await open(MARKET, CORNER, { ...NIGHT, isHidden: true });

  const lines = (await type('reseller', 'list')).out.split('\n').map((row) => row.split(/ {2,}/));
  expect(lines[0]).toEqual(['place', 'id', 'name', 'kind', 'trusted', 'logo', 'shop']);
  expect(lines[1]).toEqual(['1', 'market', 'Plan Market', 'official', 'letter', MARKET.buyLink]);
  expect(lines[2]).toEqual(['2', 'key-corner', 'Key Corner', 'partner', '8000', 'mark-2', CORNER.buyLink]);
  expect(lines[3]?.[0]).toBe('hidden');
});

test.each([
  { id: 'night', place: '1', page: ['Night Shop', 'Plan Market', 'Key Corner'] },
  { id: 'market', place: '2', page: ['Key Corner', 'Plan Market', 'Night Shop'] },
  { id: 'market', place: '99', page: ['Key Corner', 'Night Shop', 'Plan Market'] },
  { id: 'key-corner', place: '0', page: ['Plan Market', 'Night Shop'] },
])('reseller order moves a reseller to place $place: $id gives the list $page', async ({ id, place, page }) => {
  const { type, readPage } = await open(MARKET, CORNER, NIGHT);

  expect(await type('reseller', 'order', id, place)).toMatchObject({ code: 0 });
  expect(await readPage()).toEqual(page);
});

test('a hidden reseller is listed last, keeps its codes, and can be shown again at any place', async () => {
  const { type, ask, readPage } = await open(MARKET, CORNER);
  await type('reseller', 'order', 'market', '0');

  expect(await ask('reseller', 'list')).toEqual([CORNER, { ...MARKET, isHidden: true }]);
  expect(await type('licence', 'issue', '--reseller', 'market', '--plan', 'plus', '--count', '1')).toMatchObject({
    code: 0,
  });
  expect(await type('reseller', 'order', 'market', '1')).toMatchObject({ out: 'changed  market\nmoved    key-corner' });
  expect(await readPage()).toEqual(['Plan Market', 'Key Corner']);
});

test('a reseller with codes cannot be removed, neither by a command nor by an import', async () => {
  const { type, ask, importText } = await open(MARKET, CORNER);
  await type('licence', 'issue', '--reseller', 'market', '--plan', 'plus', '--count', '1');

  for (const refused of [await type('reseller', 'remove', 'market'), await importText(JSON.stringify([NIGHT]))]) {
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('Codes were issued for market');
    expect(refused.err).toContain('reseller order market 0');
  }
  expect(await ask('reseller', 'list')).toEqual([MARKET, CORNER]);
});

test('an exported file can be imported again', async () => {
  const { say, type, ask, file, importText } = await open(MARKET, CORNER);
  const copy = `${file}.copy`;

  expect(await say('reseller', 'export', copy)).toEqual([0, `Wrote 2 resellers into ${copy}.`]);
  expect((await type('reseller', 'export')).out).toBe(readFileSync(copy, 'utf8').trimEnd());
  expect(await say('reseller', 'export', copy)).toEqual([1, `${copy} is there already; nothing was written.`]);

  await importText('[]');
  expect(await ask('reseller', 'list')).toEqual([]);
  expect(await type('reseller', 'import', copy)).toMatchObject({ out: 'added    market, key-corner' });
  expect(await ask('reseller', 'list')).toEqual([MARKET, CORNER]);
  expect(await say('reseller', 'import', copy)).toEqual([0, 'Everything is so already; nothing was changed.']);
});

test('an import lists its changes, and a dry run applies none of them', async () => {
  const { ask, importText, listAudit } = await open(MARKET, CORNER);
  const text = JSON.stringify([NIGHT, { ...CORNER, name: 'Corner' }]);
  const before = await listAudit();

  const said = 'added    night\nchanged  key-corner\nremoved  market';
  expect(await importText(text, '--dry-run')).toEqual({
    code: 0,
    out: `${said}\nThis was a dry run; nothing was changed.`,
    err: '',
  });
  expect(await ask('reseller', 'list')).toEqual([MARKET, CORNER]);
  expect(await listAudit()).toEqual(before);

  expect(await importText(text)).toMatchObject({ code: 0, out: said });
  expect(await ask('reseller', 'list')).toEqual([NIGHT, { ...CORNER, name: 'Corner' }]);
});

test('an import defaults trusted and isHidden when a reseller leaves them out', async () => {
  const { ask } = await open({ ...MARKET, trusted: undefined, isHidden: undefined });

  expect(await ask('reseller', 'list')).toEqual([MARKET]);
});

test('an import is atomic and reports each error with its line and its member', async () => {
  const { ask, importText, file } = await open(MARKET);
  const text = JSON.stringify(
    [
      NIGHT,
      { ...CORNER, name: undefined, id: 'Key Corner', buyLink: 'http://store.example/', colour: 'red' },
      { ...CORNER, id: 'night', logo: 'https://store.example/logo.png', trusted: 1.5, discord: 'javascript:alert(1)' },
      7,
    ],
    null,
    2,
  );
  const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

  const { code, err } = await importText(text);
  expect(code).toBe(1);
  expect(err.split('\n').sort()).toEqual(
    [
      `${file} is not taken; nothing was changed.`,
      `line ${String(lineOf('"Key Corner"'))}: id must be up to 64 small letters, digits and hyphens, such as key-corner`,
      `line ${String(lineOf('{\n    "id": "Key Corner"'))}: name is missing`,
      `line ${String(lineOf('"http://'))}: buyLink must be an address that begins with https://`,
      `line ${String(lineOf('"colour"'))}: colour is not known`,
      `line ${String(lineOf('"https://store.example/logo.png"'))}: logo must be mark-1, mark-2, mark-3, mark-4 or letter`,
      `line ${String(lineOf('1.5'))}: trusted must be a whole number from 0, or null`,
      `line ${String(lineOf('"javascript:'))}: discord must be an address that begins with https://`,
      `line ${String(lineOf('7\n]'))}: the reseller must be Object`,
    ].sort(),
  );
  expect(await ask('reseller', 'list')).toEqual([MARKET]);
});

test.each([
  {
    what: 'an id that is used twice',
    text: `[${JSON.stringify(NIGHT)},\n${JSON.stringify(NIGHT)}]`,
    said: 'line 2: id night is used before',
  },
  { what: 'a file that is no list', text: JSON.stringify(NIGHT), said: 'line 1: the file must be Array' },
  { what: 'a file that is cut off', text: '[\n{"id": "night",\n', said: 'line 3: a name in quotes is missing' },
])('an import rejects $what', async ({ text, said }) => {
  const { ask, importText } = await open(MARKET);

  const { code, err } = await importText(text);

  expect({ code, why: err.split('\n').slice(1) }).toEqual({ code: 1, why: [said] });
  expect(await ask('reseller', 'list')).toEqual([MARKET]);
});

test.each([
  { argv: ['import', '/nowhere/list'], said: '/nowhere/list cannot be read; nothing was changed.', code: 1 },
  { argv: ['add', 'night', '--name', 'Night'], said: '--buy-link is missing.', code: 2 },
  { argv: ['edit', 'market', '--buy-link', 'http://x.example/'], said: '--buy-link must be an address', code: 2 },
  { argv: ['edit', 'market', '--logo', 'mark-9'], said: '--logo must be mark-1', code: 2 },
  { argv: ['edit', 'market', '--name', 'a\nb'], said: '--name must be one line of up to 60 characters', code: 2 },
  { argv: ['edit', 'market', '--official', '--partner'], said: 'cannot be used with option', code: 2 },
  { argv: ['edit', 'market', '--trusted', 'many'], said: 'It is no whole number, nor `unknown`.', code: 2 },
  { argv: ['order', 'market', 'first'], said: 'It is no number from 0 to 9999.', code: 2 },
  { argv: ['edit', 'night', '--name', 'Night'], said: 'There is no reseller night; see: reseller list.', code: 1 },
  { argv: ['order', 'night', '1'], said: 'There is no reseller night; see: reseller list.', code: 1 },
  { argv: ['remove', 'night'], said: 'There is no reseller night; see: reseller list.', code: 1 },
])('$argv is rejected: $said', async ({ argv, said, code }) => {
  const { type, ask } = await open(MARKET);

  const refused = await type('reseller', ...argv);

  expect(refused.code).toBe(code);
  expect(refused.err).toContain(said);
  expect(await ask('reseller', 'list')).toEqual([MARKET]);
});
