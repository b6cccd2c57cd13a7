import { brotliCompressSync, gzipSync } from 'node:zlib';
import { problemSchema } from '@app/contracts/problem';
import { type Release, SERVER_BUNDLE } from '@app/contracts/release';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import {
  list,
  makeRelease,
  packTar,
  registers,
  withEntry,
  withFile as withListed,
  withServerBundle,
  type ReleaseFiles,
} from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { makeRenderProgram, makeTryEntry } from '#api/test/delivery/render-program.ts';
import { remoteBundle } from '#api/test/delivery/server-bundles.ts';
import { createRenderPages } from '#api/delivery/rendering/render-pages.ts';

const VERSION = '0.2.0';
const X = Buffer.from('x');
const MB = 1024 * 1024;

const good = (changes: Partial<Release> = {}) => makeRelease('tools', VERSION, changes);
const zip = async (files: Iterable<readonly [string, Buffer]>) => gzipSync(await packTar(files));
/** A good release and one more file. */
const plus = (name: string, content = X) => zip([...good(), [name, content]]);
/** A good release with one file changed, or without it. */
const withFile = (name: string, content?: Buffer) => {
  const files = good();
  if (content) files.set(name, content);
  else files.delete(name);
  return zip(files);
};
const listing = (changes: Partial<Release>) => zip(good(changes));
const releaseOf = (files: ReleaseFiles) => JSON.parse(String(files.get('release.json'))) as Release;
/** Changes the header of the first file of a tar. */
const withHeader = (tar: Buffer, change: (bytes: Buffer) => void) => {
  const bytes = tar.subarray(0, 512);
  change(bytes);
  let sum = 0;
  bytes.fill(' ', 148, 156).forEach((byte) => (sum += byte));
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return tar;
};
const END_BYTES = 1024;
/** A good release, and one more file in whose header bytes are changed. */
const header = async (name: string, change: (bytes: Buffer) => void, content = '') => {
  const before = (await packTar(good())).subarray(0, -END_BYTES);
  return gzipSync(Buffer.concat([before, withHeader(await packTar([[name, Buffer.from(content)]]), change)]));
};
/** A release with one page, whose code is this. */
const rendering = (page: string, code = remoteBundle({ '/encrypter': page })) =>
  zip(withServerBundle(good({ routes: [buildRoute('/encrypter')] }), code));
/** A release with one more stylesheet. */
const styling = (css: string | Buffer, name = 'static/css/more.css') => zip(withListed(good(), name, Buffer.from(css)));
const ofKind = (kind: string) => header('odd', (bytes) => bytes.write(kind, 156));
/** A good release, and an extended header before one more file. */
const extended = async (kind: string, text: string) => {
  const before = (await packTar(good())).subarray(0, -END_BYTES);
  const own = (await packTar([['extended', Buffer.from(text)]])).subarray(0, -END_BYTES);
  return gzipSync(
    Buffer.concat([before, withHeader(own, (bytes) => bytes.write(kind, 156)), await packTar([['a.js', X]])]),
  );
};
const flip = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};
const entry = releaseOf(good()).entry;
const GOOD_TAR = await packTar(good());
const GOOD_ZIP = gzipSync(GOOD_TAR);

/** The upload, and the problem in the answer. */
type Wrong = [what: string, make: () => Buffer | Promise<Buffer>, problem: string];

const ARCHIVES: Wrong[] = [
  ['nothing', () => Buffer.alloc(0), 'The archive is cut'],
  ['a text', () => Buffer.from('no archive'), 'The archive is no gzip, or is damaged'],
  ['a gzip of no tar', () => gzipSync('x'.repeat(600)), 'The archive is no tar, or is damaged'],
  ['a cut gzip', () => GOOD_ZIP.subarray(0, 300), 'The archive is cut'],
  ['a gzip with one bit turned', () => flip(GOOD_ZIP, 200), 'damaged'],
  ['a gzip with a byte behind it', () => Buffer.concat([GOOD_ZIP, X]), 'The archive is cut'],
  ['a gzip with zeros behind it', () => Buffer.concat([GOOD_ZIP, Buffer.alloc(9)]), 'goes on behind its end'],
  ['a cut tar', () => gzipSync(GOOD_TAR.subarray(0, 700)), 'Tar archive is truncated'],
  ['a tar without its end', () => gzipSync(GOOD_TAR.subarray(0, -END_BYTES)), 'Tar archive is truncated'],
  ['a tar with half an end', () => gzipSync(GOOD_TAR.subarray(0, -512)), 'Tar archive is truncated'],
  ['a tar with bytes behind it', () => gzipSync(Buffer.concat([GOOD_TAR, X])), 'no tar, or is damaged'],
  ['a tar with one bit of a header turned', () => gzipSync(flip(GOOD_TAR, 3)), 'no tar, or is damaged'],
  [
    'a gzip bomb',
    () => gzipSync(Buffer.concat([GOOD_TAR, Buffer.alloc(8 * MB)]), { level: 1 }),
    'has too much besides its files',
  ],
  ['headers of 8 MB for a file', () => extended('x', '6 a=b\n'.repeat((8 * MB) / 6)), 'has too much besides its files'],
];

const ENTRIES: Wrong[] = [
  ['an absolute path', () => plus('/etc/passwd'), '/etc/passwd is an absolute path'],
  ['a drive', () => plus('C:a.js'), 'C:a.js is an absolute path'],
  ['a way out', () => plus('static/../../a.js'), 'static/../../a.js contains a part “..”'],
  ['a part that is a dot', () => plus('static/./a.js'), 'static/./a.js contains a part “.”'],
  ['an empty part', () => plus('static//a.js'), 'static//a.js contains an empty part'],
  ['an empty name', () => plus(''), 'is empty'],
  ['a hidden file', () => plus('static/.a.js'), 'static/.a.js contains a part that begins with a dot'],
  ['a backslash', () => plus('static\\a.js'), 'contains a backslash'],
  ['a control character', () => plus('a\x1b.js'), 'a\\u001b.js contains a control character'],
  ['letters outside ASCII', () => plus('\xe4.js'), 'contains a character outside ASCII'],
  ['a character of addresses', () => plus('a%2fb.js'), 'contains a character that no file name here has'],
  ['a name that is too long', () => plus(`${'d/'.repeat(110)}a.js`), 'is longer than 200 characters'],
  ['a hard link', () => ofKind('1'), 'odd is a link'],
  ['a symbolic link', () => ofKind('2'), 'odd is a symlink'],
  ['a device', () => ofKind('3'), 'odd is a character-device'],
  ['a pipe', () => ofKind('6'), 'odd is a fifo'],
  ['a kind that is new', () => ofKind('Z'), 'odd is not in the list of release.json'],
  ['a folder with content', () => header('odd', (bytes) => bytes.write('5', 156), 'x'), 'is damaged'],
  ['a way out in a pax header', () => extended('x', '16 path=../../a\n'), '../../a contains a part “..”'],
  ['a way out in a long name of GNU tar', () => extended('L', '../../a\0'), '../../a contains a part “..”'],
  ['a size that is no octal number', () => header('a.js', (bytes) => bytes.fill(0xff, 124, 136)), 'is damaged'],
  ['a file twice', () => zip([...good(), ['remoteEntry.js', X]]), 'remoteEntry.js is there twice'],
  ['a name in other capitals', () => plus('RemoteEntry.js'), 'differs from remoteEntry.js in capitals only'],
  ['a folder in other capitals', () => plus('Static/b.js'), 'differs from static in capitals only'],
  ['a file that is also a folder', () => plus('remoteEntry.js/a.js'), 'makes remoteEntry.js both a file and a folder'],
  ['a folder that is also a file', () => plus('static/css'), 'makes static/css both a file and a folder'],
  ['a large file', () => plus('a.js', Buffer.alloc(8 * MB + 1)), 'a.js is larger than 8 MB'],
];

const CONTENTS: Wrong[] = [
  ['no release.json', () => withFile('release.json'), 'release.json is missing'],
  [
    'a large release.json',
    () => withFile('release.json', Buffer.alloc(MB + 1, ' ')),
    'release.json is larger than 1 MB',
  ],
  ['a release.json that is none', () => withFile('release.json', X), 'release.json is not JSON'],
  ['a release.json of something else', () => withFile('release.json', Buffer.from('{}')), 'not the list of a release'],
  ['the release of another unit', () => zip(makeRelease('marketing', VERSION)), 'release.json says marketing@0.2.0'],
  ['another version', () => zip(makeRelease('tools', '0.3.0')), 'release.json says tools@0.3.0, not tools@0.2.0'],
  ['a list with a way out', () => listing({ files: { '../a.js': list(X) } }), '../a.js contains a part “..”'],
  ['a list with a precompressed variant', () => listing({ files: { 'a.js.br': list(X) } }), 'a.js.br cannot be listed'],
  [
    'a list in two capitals',
    () => listing({ files: { 'a.js': list(X), 'A.js': list(X) } }),
    'A.js differs from a.js in capitals only',
  ],
  ['an entry that is not listed', () => listing({ entry: { ...entry, file: 'b.js' } }), 'b.js is needed by a page'],
  ['a stylesheet that is not listed', () => listing({ css: ['b.css'] }), 'b.css is needed by a page'],
  [
    'a preload that is not listed',
    () => listing({ routes: [buildRoute('/encrypter', { preload: ['c.js'] })] }),
    'c.js is needed by a page',
  ],
  [
    'a translation for browsers that is for the server',
    () => listing({ translations: { vi: { script: SERVER_BUNDLE } }, files: { [SERVER_BUNDLE]: list(X) } }),
    'server.cjs is needed by a page, and is for the server',
  ],
  [
    'more languages than pages can be rendered in',
    () =>
      listing({
        translations: Object.fromEntries([...'abcdefghijk'].map((letter) => [`x${letter}`, { script: 'a.js' }])),
      }),
    'more than ten languages',
  ],
  ...['vi.js', 'vi.css', 'vi.woff2'].map((missing): Wrong => {
    const listed = ['vi.js', 'vi.css', 'vi.woff2'].filter((name) => name !== missing);
    const translations = { vi: { script: 'vi.js', css: 'vi.css', fonts: ['vi.woff2'] } };
    const files = Object.fromEntries(listed.map((name) => [name, list(X)]));
    return [
      `a translation without ${missing}`,
      () => listing({ translations, files }),
      `${missing} is needed by a page`,
    ];
  }),
  [
    'an integrity of another file',
    () => listing({ entry: { ...entry, integrity: `sha384-${list(X).sha384}` } }),
    'The integrity of remoteEntry.js is not the hash',
  ],
  [
    'a global name of the browser',
    () => listing({ entry: { ...entry, globalName: 'location' } }),
    'The global name location is not tools__0_2_0',
  ],
  ['a file that is missing', () => withFile('static/css/a.css'), 'static/css/a.css is missing'],
  [
    'a file with one bit turned',
    () => withFile('remoteEntry.js', flip(good().get('remoteEntry.js') ?? X, 5)),
    'remoteEntry.js is not the file that release.json lists',
  ],
  ['a file that is not listed', () => plus('static/js/more.js'), 'static/js/more.js is not in the list'],
  ['a variant of a missing file', () => plus('b.js.br', brotliCompressSync(X)), 'b.js.br is not in the list'],
  ['a variant of another file', () => withFile('remoteEntry.js.br', brotliCompressSync(X)), 'does not expand to'],
  [
    'a variant that is a bomb',
    () => withFile('remoteEntry.js.gz', gzipSync(Buffer.alloc(20 * MB), { level: 1 })),
    'does not expand to',
  ],
  ['a damaged variant', () => withFile('remoteEntry.js.gz', X), 'remoteEntry.js.gz does not expand to'],
  ['a page of another unit', () => listing({ routes: [buildRoute('/plans')] }), '/plans belongs to marketing'],
  ['a path of the server', () => listing({ routes: [buildRoute('/api/keys')] }), '/api/keys cannot be the path'],
  ['a host API of another major', () => listing({ contract: { version: '2.0' } }), 'requires host API 2.0'],
  ['a host API of a later minor', () => listing({ contract: { version: '1.1' } }), 'requires host API 1.1'],
  [
    'an import that the shell does not give',
    () => listing({ contract: { version: '1.0', requires: { react: ['useState', 'useMagic'] } } }),
    'imports useMagic from react, which the shell does not provide',
  ],
  [
    'an entry that registers another name',
    () => zip(withEntry(good(), registers('tools'))),
    'remoteEntry.js registers its container as tools, and release.json says tools__0_2_0',
  ],
  [
    'a style for all headings of the site',
    () => styling('.mine{color:red}\nh1{color:red!important}'),
    'static/css/more.css:2:1: h1 styles the page outside of the unit: begin with a class of yours',
  ],
  [
    'a style for all pages in a file that only code asks for',
    () => styling('@media print{*{display:none}}', 'static/css/later.CSS'),
    'static/css/later.CSS:1:14: * styles the page outside of the unit',
  ],
  ['a style that a plugin was to make', () => styling('@tailwind base;'), '@tailwind is left, which is no CSS'],
  ['a style of another site', () => styling('@import "https://a.example/a.css";'), '@import "https://a.example/a.css"'],
  ['styles in another encoding', () => styling(Buffer.from('\ufeffh1{}', 'utf16le')), 'more.css is not UTF-8'],
  [
    'styles that nest without an end',
    () => styling('@media print{'.repeat(9000) + '}'.repeat(9000)),
    'is nested too deeply',
  ],
  [
    'more styles than are read',
    () =>
      zip(
        [...'0123456789'].reduce((files, nth) => withListed(files, `${nth}.css`, Buffer.alloc(220_000, ' ')), good()),
      ),
    'All styles have 2201 kB',
  ],
  [
    'a page that throws',
    () => rendering('throw new Error("no heading")'),
    '/encrypter of tools@0.2.0 in shell@0.1.0 throws',
  ],
  ['pages whose code throws', () => rendering('', 'throw new Error("too early")'), 'Every page of tools@0.2.0 in'],
  [
    'code of pages with one bit turned',
    () => zip(good({ files: { ...releaseOf(good()).files, 'server.cjs': list(X) } }).set('server.cjs', flip(X, 0))),
    'server.cjs is not the file that release.json lists',
  ],
];

test.each([
  ['archive', ARCHIVES],
  ['file in it', ENTRIES],
  ['content', CONTENTS],
])(
  'threat 38: every kind of wrong %s is rejected with its error code, and the site keeps serving',
  async (_part, wrong) => {
    const renderPages = createRenderPages({ program: makeRenderProgram() });
    const site = await createPublishFixture(undefined, renderPages, { tryEntry: makeTryEntry() });
    const { db } = site;
    const before = await db.selectFrom('release').select(['unit', 'version']).execute();

    for (const [what, make, problem] of wrong) {
      const answer = await site.put('tools', VERSION, new Uint8Array(await make()));
      const refused = v.parse(problemSchema, await answer.json());

      expect({ what, status: answer.status, code: refused.code, problems: refused.problems?.join(' / ') }).toEqual({
        what,
        status: 422,
        code: 'release.invalid',
        problems: expect.stringContaining(problem) as string,
      });
      expect({ what, left: site.incoming(), isServed: await site.isServed() }).toEqual({
        what,
        left: [],
        isServed: true,
      });
    }

    expect(await db.selectFrom('release').select(['unit', 'version']).execute()).toEqual(before);
    expect(site.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
    expect((await site.publish('tools', VERSION, good())).status).toBe(201);
  },
);
