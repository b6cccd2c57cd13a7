import { createHash } from 'node:crypto';
import { findHostApiProblem } from '@app/contracts/host-api-fit';
import { type Fault, SHELL, type Unit } from '@app/contracts/unit';
import { readHwid } from '@app/contracts/hwid';
import { LANGUAGE_NAME, ORIGINAL_LANGUAGE } from '@app/contracts/languages';
import { FAILED_SHELL_COOKIE } from '@app/contracts/page-reports';
import { type Release, releaseUrl } from '@app/contracts/release';
import type { Resolution, ResolvedUnit, Source } from '@app/contracts/resolution';
import { localEntry } from '@app/contracts/working-copy';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { titleOf } from '@app/contracts/document';
import { findIncompatibility } from '#api/delivery/registry/compatibility.ts';
import type { Registry, Snapshot } from '#api/delivery/registry/registry.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';
import type { EnsureVisitorCookie, VisitorCookie } from '#api/foundation/visitors/client-identity.ts';
import { languageOf } from '#api/foundation/http/language.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';

export interface SelectedRelease {
  release: Release;
  source: Source;
  /** The release that the page loads when this one fails there. */
  lastGood?: Release | undefined;
  /** Where its entry is, if not among the files of the release. */
  entry?: ResolvedUnit['entry'] | undefined;
}

/** One release of every unit. A selection is never changed, and visitors with the same criteria share one. */
export interface ReleaseSelection {
  revision: number;
  units: ReadonlyMap<Unit, SelectedRelease>;
  /** Whether every browser that has chosen nothing gets this one, because no canary is open. */
  isForAll?: boolean;
  /** Only for browsers with QA access or pins. */
  qa?: QaOverrides | undefined;
}

export interface QaOverrides {
  faults: Readonly<Record<Unit, Fault>>;
  publicState: NonNullable<Resolution['qa']>;
}

/** By unit: a version, `canary` or `stable`. */
export type Pins = Readonly<Record<Unit, string>>;

export interface PinSession {
  pins: Pins;
  faults: Readonly<Record<Unit, Fault>>;
  /** When it ends, in epoch milliseconds. */
  until: number;
  /** What pinned. A preview shows its releases and nothing else that is new. */
  by?: string;
}

/** @param address path and query of the visitor's page, if the request is not for that page itself */
export type SelectReleases = (
  req: Request,
  res: Response,
  address?: string,
) => ReleaseSelection | Promise<ReleaseSelection>;

/** A share counts hundredths of a percent, so each visitor is in one of so many equal parts. */
const SHARE_STEPS = 10_000;

export const QUERY_PATTERN = /\?[^#]*/;

interface Deps {
  registry: Registry;
  health?: Pick<ReleaseHealth, 'findDamage' | 'revision'> | undefined;
  pseudonyms: Pick<Pseudonyms, 'hwid'>;
  visitorCookie: Pick<VisitorCookie, 'read'>;
  ensureVisitorCookie: EnsureVisitorCookie;
  readPins?: ((req: Request) => PinSession | undefined) | undefined;
  now: () => number;
}

/**
 * Makes the function that chooses the releases of each visitor. Without pins it reads memory only, and visitors with
 * the same canaries share one selection.
 *
 * The visitor of a canary is the device in the address: browsers inside apps lose their cookies, and a run must not
 * change sides between two steps. Only without a device does the cookie of the browser count. It is set when there is
 * a canary to decide about.
 */
export function createReleaseSelector(deps: Deps): SelectReleases {
  const { registry, health, readPins } = deps;
  const isDamaged = (release: Release) => health?.findDamage(release) !== undefined;
  let selections = new Map<string, ReleaseSelection>();
  let madeOf: { snapshot?: Snapshot; revision?: number | undefined } = {};

  function share(snapshot: Snapshot, key: string, make: () => ReleaseSelection): ReleaseSelection {
    const revision = health?.revision();
    if (madeOf.snapshot !== snapshot || madeOf.revision !== revision) selections = new Map();
    madeOf = { snapshot, revision };
    let selection = selections.get(key);
    if (!selection) selections.set(key, (selection = make()));
    return selection;
  }

  return (req, res, address = req.url) => {
    const snapshot = registry.snapshot();
    const session = readPins?.(req);
    const failedShell = readFailedShell(req, snapshot);
    if (session?.by === 'preview') return selectPinned(registry, snapshot, { failedShell, isDamaged }, session);

    const canaries = listCanaries(snapshot, () => nameVisitor(deps, req, res, address));
    const criteria = { isInCanary: (unit: string) => canaries.has(unit), failedShell, isDamaged };
    if (session) return selectPinned(registry, snapshot, criteria, session);

    return share(snapshot, `${[...canaries].join()} ${failedShell ?? ''}`, () => ({
      ...selectReleases(snapshot, criteria),
      isForAll: failedShell === undefined && [...snapshot.units.values()].every(({ canary }) => !canary),
    }));
  };
}

function listCanaries({ units }: Snapshot, findVisitor: () => string): ReadonlySet<string> {
  const selected = new Set<string>();
  let visitor: string | undefined;
  for (const [unit, { canary }] of units) {
    if (!canary) continue;
    visitor ??= findVisitor();
    if (isInShare(unit, canary.release.version, visitor, canary.share)) selected.add(unit);
  }
  return selected;
}

/** Every server gives the same answer, and a share (in hundredths of a percent) that grows keeps its visitors. */
export function isInShare(unit: string, version: string, visitor: string, share: number): boolean {
  const hash = createHash('sha256').update(`${unit}|${version}|${visitor}`).digest();
  return hash.readUInt32BE() % SHARE_STEPS < share;
}

function nameVisitor(
  { pseudonyms, visitorCookie, ensureVisitorCookie, now }: Deps,
  req: Request,
  res: Response,
  address: string,
): string {
  const hwid = readHwid(new URLSearchParams(QUERY_PATTERN.exec(address)?.[0]).get('hwid') ?? '');
  if (hwid !== undefined) return pseudonyms.hwid(hwid);

  return ensureVisitorCookie({ browser: visitorCookie.read(req.headers.cookie, now()) }, res);
}

/** The version of the shell that has failed in this browser, if it is one that visitors get now. */
function readFailedShell({ headers: { cookie } }: Request, { units }: Snapshot): string | undefined {
  if (!cookie?.includes(FAILED_SHELL_COOKIE)) return undefined;

  const failed = parseCookie(cookie)[FAILED_SHELL_COOKIE];
  const shell = units.get(SHELL);
  return [shell?.stable, shell?.canary?.release].find((release) => release?.version === failed)?.version;
}

export interface SelectionCriteria {
  isInCanary?: (unit: Unit) => boolean;
  pins?: ReadonlyMap<Unit, Release>;
  failedShell?: string | undefined;
  isDamaged?: (release: Release) => boolean;
}

/** Pin, canary, stable; instead of a release that has failed, the last good one, if there is one. */
export function selectReleases({ revision, units }: Snapshot, criteria: SelectionCriteria = {}): ReleaseSelection {
  const selected = new Map<Unit, SelectedRelease>();
  for (const [unit, { stable, canary, lastGood }] of units) {
    const pinned = criteria.pins?.get(unit);
    const [release, source]: [Release, Source] = pinned
      ? [pinned, 'pin']
      : canary && criteria.isInCanary?.(unit)
        ? [canary.release, 'canary']
        : [stable, 'stable'];
    // All visitors have tried the stable release, so it is the first fallback of a canary and of a pin.
    const [first, second] = [stable, lastGood].filter(
      (other) => other !== undefined && other.version !== release.version && !hasFailed(other, criteria),
    );
    if (first && hasFailed(release, criteria))
      selected.set(unit, { release: first, source: 'fallback', lastGood: second });
    else selected.set(unit, { release, source, lastGood: first });
  }
  for (const [unit, pinned] of criteria.pins ?? [])
    if (!selected.has(unit)) selected.set(unit, { release: pinned, source: 'pin' });

  return { revision, units: withoutIncompatible(selected) };
}

function hasFailed(release: Release, { failedShell, isDamaged }: SelectionCriteria): boolean {
  return (release.unit === SHELL && release.version === failedShell) || isDamaged?.(release) === true;
}

/** Drops fallbacks that do not fit the shell. Where the shell is a fallback, remotes that do not fit it get theirs. */
function withoutIncompatible(selected: Map<Unit, SelectedRelease>): Map<Unit, SelectedRelease> {
  const shell = selected.get(SHELL)?.release;
  if (!shell) return selected;

  for (const [unit, { release, source, lastGood }] of selected) {
    if (unit === SHELL || !lastGood) continue;
    if (findHostApiProblem(shell.contract, lastGood.contract)) selected.set(unit, { release, source });
    else if (source !== 'pin' && findHostApiProblem(shell.contract, release.contract))
      selected.set(unit, { release: lastGood, source: 'fallback' });
  }
  return selected;
}

/** A pin that names no release, or does not fit, is dropped with a notice. A pinned shell has to fit all units. */
async function selectPinned(
  registry: Registry,
  snapshot: Snapshot,
  criteria: SelectionCriteria,
  { pins, faults, until }: PinSession,
): Promise<ReleaseSelection> {
  const pinned = new Map<Unit, Release>();
  const notices: string[] = [];
  for (const [unit, wanted] of Object.entries(pins)) {
    // The database may be away; then the page comes without the pin.
    const release = await findPinned(registry, unit, wanted).catch(() => undefined);
    if (release) pinned.set(unit, release);
    else notices.push(`${unit}@${wanted} is not there`);
  }

  for (;;) {
    const selection = selectReleases(snapshot, { ...criteria, pins: pinned });
    const dropped = findIncompatiblePin(selection, pinned);
    if (!dropped) {
      const notice = notices.length > 0 ? { notice: `${notices.join('. ')}.` } : {};
      return { ...selection, qa: { faults, publicState: { pins, until, ...notice } } };
    }
    pinned.delete(dropped.unit);
    notices.push(dropped.problem);
  }
}

/** Undefined when a pin (a version, `stable` or `canary`) names no release now, such as a canary that has ended. */
export async function findPinned(
  registry: Pick<Registry, 'snapshot' | 'find'>,
  unit: Unit,
  wanted: string,
): Promise<Release | undefined> {
  const served = registry.snapshot().units.get(unit);
  if (wanted === 'stable') return served?.stable;
  if (wanted === 'canary') return served?.canary?.release;
  return registry.find(unit, wanted);
}

function findIncompatiblePin(
  { units }: ReleaseSelection,
  pinned: ReadonlyMap<Unit, Release>,
): { unit: Unit; problem: string } | undefined {
  const shell = units.get(SHELL)?.release;
  if (!shell) return undefined;

  for (const [unit, { release }] of units) {
    if (unit === SHELL) continue;
    const pin = pinned.has(unit) ? unit : pinned.has(SHELL) ? SHELL : undefined;
    const problem = pin && findIncompatibility(shell, release);
    if (problem) return { unit: pin, problem };
  }
  return undefined;
}

/** Of the release in its place only the paths stay. What fails has no fallback, so that its developer sees it. */
export function withLocalUnit(selection: ReleaseSelection, unit: Unit, origin: string): ReleaseSelection {
  const selected = selection.units.get(unit);
  if (!selected) return selection;

  const routes = selected.release.routes.map((route) => ({ ...route, css: [], preload: [] }));
  const version = new URL(origin).host;
  const release: Release = { ...selected.release, version, routes, css: [], files: {}, translations: undefined };
  const local = { release, source: 'local', entry: localEntry(unit, origin) } as const;
  return { ...selection, units: new Map([...selection.units, [unit, local]]) };
}

export function integrityOf({ files }: Pick<Release, 'files'>, file: string): string {
  return `sha384-${files[file]?.sha384 ?? ''}`;
}

/** @param owner the unit of the page: only its last good version is named, as the page asks for others later */
export function presentResolution(selection: ReleaseSelection, owner?: Unit, language?: string): Resolution {
  const { revision, units, qa } = selection;
  const present = ([unit, selected]: [Unit, SelectedRelease]): [Unit, ResolvedUnit] => {
    const fault = faultOf(selection, unit);
    const isNamed = owner === undefined || owner === unit;
    return [
      unit,
      { ...presentUnit(selected, language), ...(isNamed && presentLastGood(selected)), ...(fault && { fault }) },
    ];
  };
  return {
    revision,
    units: Object.fromEntries([...units].map(present)),
    ...(qa && { qa: qa.publicState }),
  };
}

/** The fault that QA simulates for a unit. A fault of a single version does not affect the version that replaces it. */
export function faultOf({ units, qa }: ReleaseSelection, unit: Unit): Fault | undefined {
  if (units.get(unit)?.source === 'local') return undefined;
  const fault = qa?.faults[unit];
  const hitsAll = fault === 'offline' || fault === 'slow';
  return hitsAll || units.get(unit)?.source !== 'fallback' ? fault : undefined;
}

export function findRoute(
  { units }: ReleaseSelection,
  path: string,
): { unit: Unit; release: Release; route: Release['routes'][number] } | undefined {
  for (const [unit, { release }] of units) {
    const route = release.routes.find((candidate) => candidate.path === path);
    if (route) return { unit, release, route };
  }
  return undefined;
}

function presentUnit({ release, source, entry }: SelectedRelease, language = ''): ResolvedUnit {
  const { version, routes, translations = {} } = release;
  const { script } = translations[language] ?? {};
  const titled = routes.filter(({ path, title }) => titleOf(path, title) !== titleOf(path));

  return {
    version,
    source,
    ...presentEntry(release),
    ...(entry && { entry }),
    routes: routes.map(({ path }) => path),
    ...(script && { translations: { url: releaseUrl(release, script), integrity: integrityOf(release, script) } }),
    ...(titled.length > 0 && { titles: Object.fromEntries(titled.map(({ path, title }) => [path, title])) }),
  };
}

/** A shell that fails cannot load another; the server gives another one to the next request. */
function presentLastGood({ release, lastGood }: SelectedRelease): Pick<ResolvedUnit, 'lastGood'> {
  if (!lastGood || release.unit === SHELL) return {};

  return { lastGood: { version: lastGood.version, ...presentEntry(lastGood) } };
}

function presentEntry(release: Release): Pick<ResolvedUnit, 'entry' | 'contract'> {
  const { file, globalName, integrity } = release.entry;
  return {
    entry: { url: releaseUrl(release, file), integrity, ...(globalName && { globalName }) },
    contract: release.contract.version,
  };
}

/** The language of a page among those of its shell; undefined for the original one. */
export function chooseLanguage(req: Request, { units }: ReleaseSelection, address: string): string | undefined {
  const translations = units.get(SHELL)?.release.translations;
  if (!translations) return undefined;

  const language = languageOf(req, Object.keys(translations), languageIn(address));
  return language === ORIGINAL_LANGUAGE ? undefined : language;
}

export function languageIn(address: string): string | undefined {
  return new URLSearchParams(QUERY_PATTERN.exec(address)?.[0]).get(LANGUAGE_NAME) ?? undefined;
}
