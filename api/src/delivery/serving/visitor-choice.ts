import { createHash } from 'node:crypto';
import { HWID_PATTERN } from '@app/contracts/key-system';
import { FAILED_SHELL_COOKIE } from '@app/contracts/load-report';
import { SHELL, type Release } from '@app/contracts/release';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { EnsureVisitorCookie, VisitorCookie } from '#api/foundation/visitors/client-identity.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { chooseReleases, type Choice } from './choose-releases.ts';
import { choosePinned } from './choose-pinned.ts';
import type { PinSession } from './pin-session.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import type { ReleaseHealth } from '#api/delivery/store/release-health.ts';
import type { Snapshot } from '#api/delivery/registry/snapshot.ts';

/** A share counts hundredths of a percent, so everybody is in one of so many equal parts. */
const PARTS = 10_000;

const QUERY = /\?[^#]*/;

/**
 * Chooses the releases that a visitor gets.
 * @param address path and query of the visitor's page, if the request is not for that page itself
 */
export type Choose = (req: Request, res: Response, address?: string) => Choice | Promise<Choice>;

interface Deps {
  registry: Registry;
  /** Knows which releases have lost files. */
  health?: Pick<ReleaseHealth, 'findDamage' | 'revision'> | undefined;
  pseudonyms: Pick<Pseudonyms, 'hwid'>;
  visitorCookie: Pick<VisitorCookie, 'read'>;
  ensureVisitorCookie: EnsureVisitorCookie;
  /** What QA has pinned in the browser that asks. */
  readPins?: ((req: Request) => PinSession | undefined) | undefined;
  now: () => number;
}

/**
 * Makes the function that chooses the releases of each visitor. Without pins it reads memory only, and visitors with
 * the same canaries share one choice.
 *
 * The visitor of a canary is the device in the address: browsers inside apps lose their cookies, and a run must not
 * change sides between two steps. Only without a device does the cookie of the browser count. It is made when there is
 * a canary to decide about.
 */
export function createVisitorChoice(deps: Deps): Choose {
  const { registry, health, readPins } = deps;
  const isDamaged = (release: Release) => health?.findDamage(release) !== undefined;
  let choices = new Map<string, Choice>();
  let madeOf: { snapshot?: Snapshot; revision?: number | undefined } = {};

  function share(snapshot: Snapshot, key: string, make: () => Choice): Choice {
    const revision = health?.revision();
    if (madeOf.snapshot !== snapshot || madeOf.revision !== revision) choices = new Map();
    madeOf = { snapshot, revision };
    let choice = choices.get(key);
    if (!choice) choices.set(key, (choice = make()));
    return choice;
  }

  return (req, res, address = req.url) => {
    const snapshot = registry.snapshot();
    const session = readPins?.(req);
    const failedShell = readFailedShell(req, snapshot);
    const canaries = listCanaries(snapshot, () => nameVisitor(deps, req, res, address));
    const wishes = { isInCanary: (unit: string) => canaries.has(unit), failedShell, isDamaged };
    if (session) return choosePinned(registry, snapshot, wishes, session);

    return share(snapshot, `${[...canaries].join()} ${failedShell ?? ''}`, () => chooseReleases(snapshot, wishes));
  };
}

/** The units of which the visitor gets the canary. */
function listCanaries({ units }: Snapshot, findVisitor: () => string): ReadonlySet<string> {
  const chosen = new Set<string>();
  let visitor: string | undefined;
  for (const [unit, { canary }] of units) {
    if (!canary) continue;
    visitor ??= findVisitor();
    if (isInShare(unit, canary.release.version, visitor, canary.share)) chosen.add(unit);
  }
  return chosen;
}

/**
 * Whether a visitor is among the share that gets a canary. Every server gives the same answer, and a share that grows
 * keeps those who are in it.
 * @param share in hundredths of a percent
 */
export function isInShare(unit: string, version: string, visitor: string, share: number): boolean {
  const hash = createHash('sha256').update(`${unit}|${version}|${visitor}`).digest();
  return hash.readUInt32BE() % PARTS < share;
}

/** A name for the visitor that stays the same: of the device in the address, else of the browser. */
function nameVisitor(
  { pseudonyms, visitorCookie, ensureVisitorCookie, now }: Deps,
  req: Request,
  res: Response,
  address: string,
): string {
  const hwid = new URLSearchParams(QUERY.exec(address)?.[0]).get('hwid') ?? '';
  if (HWID_PATTERN.test(hwid)) return pseudonyms.hwid(hwid);

  return ensureVisitorCookie({ browser: visitorCookie.read(req.headers.cookie, now()) }, res);
}

/** The version of the shell that has failed in this browser, if it is one that visitors get now. */
function readFailedShell({ headers: { cookie } }: Request, { units }: Snapshot): string | undefined {
  if (!cookie?.includes(FAILED_SHELL_COOKIE)) return undefined;

  const failed = parseCookie(cookie)[FAILED_SHELL_COOKIE];
  const shell = units.get(SHELL);
  return [shell?.stable, shell?.canary?.release].find((release) => release?.version === failed)?.version;
}
