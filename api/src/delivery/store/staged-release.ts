import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { findPageWideStyles, type StyleProblem } from '@app/contracts/page-wide-styles';
import { containerNameOf, type Release, releaseSchema } from '@app/contracts/release';
import { SHELL } from '@app/contracts/unit';
import pLimit from 'p-limit';
import * as v from 'valibot';
import { createFileNames, isForServer, openRegularFile, quoteName } from './release-files.ts';

export type StagedRelease =
  { isOk: true; release: Release; manifest: string; bytes: number } | { isOk: false; problems: string[] };

const MANIFEST_NAME = 'release.json';
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** How many files are read at once: as many as Node's threads, and few enough for the memory that expanding takes. */
export const MAX_CONCURRENT_FILES = 4;

const MAX_PROBLEMS = 20;

/** What a compressed file has besides its content, in bytes. */
const MAX_FRAME_BYTES = 1024;

type Expand = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const EXPAND: Readonly<Record<string, Expand>> = { '.gz': promisify(gunzip), '.br': promisify(brotliDecompress) };

type ListedFile = Release['files'][string];

/** @param isAlone whether nothing else may lie in its folder */
export async function readStaged(folder: string, isAlone = true, isListed = isListedFile): Promise<StagedRelease> {
  const read = await readManifest(folder);
  if (typeof read === 'string') return { isOk: false, problems: [read] };

  const { release, manifest } = read;
  const problems = findManifestProblems(release);
  if (problems.length === 0) problems.push(...(await findFileProblems(folder, release, { isAlone, isListed })));
  if (problems.length > 0) return { isOk: false, problems: problems.slice(0, MAX_PROBLEMS) };

  const bytes = Object.values(release.files).reduce((sum, file) => sum + file.bytes, 0);
  return { isOk: true, release, manifest, bytes };
}

async function readManifest(folder: string): Promise<{ release: Release; manifest: string } | string> {
  const path = join(folder, MANIFEST_NAME);
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  );
  if (size === undefined) return 'release.json is missing';
  if (size > MAX_MANIFEST_BYTES) return 'release.json is larger than 1 MB';

  const manifest = await readFile(path, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(manifest);
  } catch {
    return 'release.json is not JSON';
  }
  const parsed = v.safeParse(releaseSchema, json);
  if (!parsed.success) return `release.json is not the list of a release: ${v.summarize([parsed.issues[0]])}`;
  return { release: parsed.output, manifest };
}

async function findFileProblems(
  folder: string,
  { files }: Release,
  { isAlone, isListed }: { isAlone: boolean; isListed: IsListedFile },
): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((name) => name !== MANIFEST_NAME && (isAlone || Object.hasOwn(files, name)));

  const problems = Object.keys(files)
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is missing`);
  const found = await pLimit(MAX_CONCURRENT_FILES).map(names, (name) =>
    findFileProblem(folder, name, { files, isListed }),
  );
  for (const [nth, name] of names.entries()) if (found[nth]) problems.push(`${quoteName(name)} ${found[nth]}`);
  return problems;
}

async function findFileProblem(
  folder: string,
  name: string,
  { files, isListed }: Pick<Release, 'files'> & { isListed: IsListedFile },
): Promise<string | undefined> {
  const path = join(folder, name);
  if (Object.hasOwn(files, name))
    return (await isListed(path, files[name])) ? undefined : 'is not the file that release.json lists';

  const ending = name.slice(-3);
  const original = name.slice(0, -3);
  if (!EXPAND[ending] || !Object.hasOwn(files, original)) return 'is not in the list of release.json';
  return (await isListed(path, files[original], ending)) ? undefined : `does not expand to ${original}`;
}

export type IsListedFile = typeof isListedFile;

/**
 * Whether a file, or what it expands to, is the listed one. Not more is read or expanded than the listed one has. All at
 * once: streams take twice as long for the hundreds of small files that every start reads.
 */
export async function isListedFile(path: string, listed: ListedFile | undefined, ending = ''): Promise<boolean> {
  if (!listed) return false;
  const expand = EXPAND[ending];
  try {
    await using file = await openRegularFile(path);
    if ((await file.stat()).size > (expand ? 2 * listed.bytes + MAX_FRAME_BYTES : listed.bytes)) return false;
    const read = await file.readFile();
    const bytes = expand ? await expand(read, { maxOutputLength: Math.max(listed.bytes, 1) }) : read;
    return bytes.length === listed.bytes && createHash('sha384').update(bytes).digest('base64') === listed.sha384;
  } catch {
    return false;
  }
}

/** A precompressed variant lies beside the listed file, and is not listed itself. */
const UNLISTED_PATTERN = /\.(br|gz)$|^release\.json$/;

function findManifestProblems({ unit, version, entry, css, routes, translations = {}, files }: Release): string[] {
  const names = createFileNames();
  const problems: string[] = [];
  for (const name of Object.keys(files)) {
    const problem = names.add(name) ?? (UNLISTED_PATTERN.test(name) ? 'cannot be listed in release.json' : undefined);
    if (problem) problems.push(`${quoteName(name)} ${problem}`);
  }

  const needed = [
    ...[entry.file, ...css, ...routes.flatMap((route) => [...route.preload, ...route.css])],
    ...Object.values(translations).flatMap((translation) => [
      ...translationFilesOf(translation),
      ...(translation.fonts ?? []),
    ]),
  ];
  for (const name of new Set(needed))
    if (!Object.hasOwn(files, name)) problems.push(`${quoteName(name)} is needed by a page, and is not listed`);
    else if (isForServer(name)) problems.push(`${quoteName(name)} is needed by a page, and is for the server`);
  if (problems.length > 0) return problems;

  if (entry.integrity !== `sha384-${files[entry.file]?.sha384}`)
    problems.push(`The integrity of ${entry.file} is not the hash that is listed for it`);

  const globalName = unit === SHELL ? undefined : containerNameOf(unit, version);
  if (entry.globalName !== globalName)
    problems.push(`The global name ${quoteName(entry.globalName ?? '')} is not ${globalName ?? 'left out'}`);
  return problems;
}

/** Bytes before compression that a page, or a file loaded later, may need of one unit: twice what our largest need. */
export const BUDGET_BYTES = { shell: 900_000, remote: 230_000 };

/** How large all stylesheets of a remote may be together, in bytes: they are read while the site serves. */
const MAX_STYLE_BYTES = 2_000_000;

/** How large a file for the renderer may be, in bytes. Those of the shell are half of that. */
export const MAX_SERVER_BYTES = 2_500_000;

/** Files that browsers neither run nor apply. All others count, whatever their names say. */
const ASSET_PATTERN = /\.(?:png|jpe?g|webp|avif|gif|svg|ico|woff2?|ttf|otf|mp3|ogg|mp4|webm|json|txt|md|tgz)$/i;
const STYLE_PATTERN = /\.css$/i;

/** What each shared package leaves in a minified build. The platform contains the router and zustand. */
const PACKAGE_MARKERS: Readonly<Record<string, RegExp>> = {
  react: /takes an object of state variables to update/,
  'react-dom': /__reactContainer\$|__DOM_INTERNALS_DO_NOT_USE/,
  'react-router-dom': /may be used only in the context of a <Router> component/,
  zustand: /\bsetState:[^;]{1,90}\bgetInitialState:/,
};

/** What makes a release too heavy for every page: bytes over the budget, and copies of shared packages. */
export async function findWeightProblems(release: Release, folder: string): Promise<string[]> {
  return [...findBudgetOverruns(release), ...(await findCopies(release, folder))];
}

function findBudgetOverruns({ unit, routes, entry, css: everywhere, translations = {}, files }: Release): string[] {
  const most = BUDGET_BYTES[unit === SHELL ? 'shell' : 'remote'];
  const forAll = [
    entry.file,
    ...everywhere,
    ...findHeaviest(Object.values(translations).map(translationFilesOf), files),
  ];
  const needed = routes.map(({ path, preload, css }) => ({
    what: path,
    names: [...new Set([...forAll, ...preload, ...css])],
  }));
  const withPages = new Set(needed.flatMap(({ names }) => names));
  const later = Object.keys(files)
    .filter((name) => !ASSET_PATTERN.test(name) && !isForServer(name) && !withPages.has(name))
    .map((name) => ({ what: name, names: [name] }));

  const forServer = Object.keys(files).filter(
    (name) => isForServer(name) && (files[name]?.bytes ?? 0) > MAX_SERVER_BYTES,
  );

  return [
    ...forServer.map((name) => `${name} is larger than ${inKilobytes(MAX_SERVER_BYTES)}`),
    ...[...needed, ...later].flatMap(({ what, names }) => {
      const bytes = sumBytes(names, files);
      return bytes <= most
        ? []
        : [
            `${what} needs ${inKilobytes(bytes)} of scripts and styles, the site's budget for a unit is ${inKilobytes(most)}`,
          ];
    }),
  ];
}

/** What a page in a language runs and applies in addition. */
function translationFilesOf({ script, css }: NonNullable<Release['translations']>[string]): string[] {
  return css === undefined ? [script] : [script, css];
}

/** The files of the language that weighs most: a page has one language. */
function findHeaviest(languages: readonly string[][], files: Release['files']): string[] {
  return languages.toSorted((one, other) => sumBytes(other, files) - sumBytes(one, files))[0] ?? [];
}

function sumBytes(names: readonly string[], files: Release['files']): number {
  return names.reduce((sum, name) => sum + (files[name]?.bytes ?? 0), 0);
}

async function findCopies({ unit, files }: Release, folder: string): Promise<string[]> {
  if (unit === SHELL) return [];

  const copies: string[] = [];
  for (const [name, { bytes: size }] of Object.entries(files)) {
    // A file that is too large is refused anyway, so it is not read.
    if (ASSET_PATTERN.test(name) || STYLE_PATTERN.test(name) || isForServer(name) || size > BUDGET_BYTES.remote)
      continue;
    const bytes = await readFile(join(folder, name));
    // In another encoding a copy would not be found.
    if (!isUtf8(bytes)) copies.push(`${name} is not UTF-8`);
    const code = bytes.toString();
    for (const [shared, mark] of Object.entries(PACKAGE_MARKERS))
      if (mark.test(code)) copies.push(`${name} contains a copy of ${shared}, which the page has already`);
  }
  return copies;
}

/** Undefined when they are too much to read. */
export type ReadStyles = (sheets: readonly string[]) => Promise<readonly StyleProblem[][] | undefined>;

/** What the styles of a remote would do to pages of others: browsers keep them when the visitor has left. */
export async function findStyleProblems(
  { unit, files }: Release,
  folder: string,
  read: ReadStyles = (sheets) => Promise.resolve(sheets.map((css) => findPageWideStyles(css))),
): Promise<string[]> {
  if (unit === SHELL) return [];

  // A file that is too large is refused anyway, so it is not read.
  const sheets = Object.entries(files).filter(
    ([name, { bytes }]) => STYLE_PATTERN.test(name) && bytes <= BUDGET_BYTES.remote,
  );
  const size = sheets.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  if (size > MAX_STYLE_BYTES)
    return [`All styles have ${inKilobytes(size)}, the site's budget for a unit is ${inKilobytes(MAX_STYLE_BYTES)}`];

  const texts = await Promise.all(sheets.map(([name]) => readFile(join(folder, name))));
  const found = await read(texts.map((bytes) => new TextDecoder().decode(bytes)));
  if (!found) return ['The styles take too long to be read: they have too many selectors'];
  return sheets
    .flatMap(([name], nth) => [
      // In another encoding a browser would read other rules.
      ...(isUtf8(texts[nth] ?? Buffer.of()) ? [] : [`${name} is not UTF-8`]),
      ...(found[nth] ?? []).map(({ line, column, what }) => `${name}:${String(line)}:${String(column)}: ${what}`),
    ])
    .slice(0, MAX_PROBLEMS);
}

function inKilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} kB`;
}
