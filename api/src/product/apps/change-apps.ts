import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { ADVERTISER_IDS } from '@app/contracts/advertisers';
import {
  APP_COLOURS,
  APP_ID_PATTERN,
  type AppId,
  isSpecified,
  KEY_VALID_HOURS,
  MAX_STEPS,
  SANDBOX,
} from '@app/contracts/key-system';
import * as v from 'valibot';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import { createWebhooksRepository } from '#api/foundation/webhooks/webhooks.repository.ts';
import type { AppRow, Db } from '#api/foundation/db/schema.ts';
import { selectAppFacts, createAppsRepository } from './apps.repository.ts';

const line = (longest: number) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => text.trim() === text && text.length > 0 && text.length <= longest && !/\p{C}/u.test(text),
      `must be one line of up to ${String(longest)} characters, without spaces at its ends`,
    ),
  );

const MAX_NAME_LENGTH = 20;

/** The only marks of a name: others look like letters. */
const PRINTABLE = /^[\p{L}\p{M}\p{N} !#&'()+,./:@_’-]+$/u;

/** Letters that nobody sees, and marks piled up. */
const INVISIBLE_PATTERN = /\p{Default_Ignorable_Code_Point}|\p{M}{3}/u;

/** The letters that one name may have: of one alphabet, or of one and Latin where no letters look alike. Source: UTS 39 */
const ALPHABETS = [
  'Latn',
  'Cyrl',
  'Grek',
  ...['Arab', 'Beng', 'Deva', 'Hang', 'Hebr', 'Khmr', 'Laoo', 'Mymr', 'Taml', 'Telu', 'Thai'].map(
    (one) => `Latn ${one}`,
  ),
  'Latn Hani Hira Kana',
].map((scripts) => new RegExp(`^[${scripts.replace(/\w+/g, '\\p{scx=$&}').replaceAll(' ', '')}]*$`, 'u'));

/** Whether people can see a name, and read it as what it is. */
function isReadable(name: string): boolean {
  const letters = name.replace(/\P{L}/gu, '');
  return (
    name.trim() === name &&
    name.length <= MAX_NAME_LENGTH &&
    PRINTABLE.test(name) &&
    /[\p{L}\p{N}]/u.test(name) &&
    !INVISIBLE_PATTERN.test(name) &&
    name.normalize('NFKC') === name &&
    ALPHABETS.some((alphabet) => alphabet.test(letters))
  );
}

function lettersOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

const RESERVED_NAMES = [PRODUCT.label, COMPANION.label].map(lettersOf);

/** The first words of schemes that a system, a browser or a shop reads itself. */
const NO_APPS = new Set(
  (
    'about android app blob callto chrome content data dict edge facetime feed file filesystem firefox ftp ftps geo git ' +
    'googlechrome googlechromes hcp help http https imap intent irc ircs itms itmss jar javascript jnlp ldap ldaps magnet ' +
    'mailto maps market microsoft mms mmsto moz ms news nfs nntp opera package payto prefs rdp res roblox rtsp samsungapps ' +
    'search settings sftp shell shortcuts sip sips skype smb sms smsto ssh steam svn tel telnet tg upi urn vbscript view vnc web ' +
    'webcal whatsapp ws wss x xmpp'
  ).split(' '),
);

/** A domain from its end, as systems ask it of apps. Source: RFC 8252, section 7.1 */
const REVERSED_DOMAIN = /^[a-z]{2,}(?:\.[a-z][a-z0-9-]*)+$/;

/** Whether the scheme of an address is the app's own: a domain, or one with its id or its name at its start or as a word. */
function isOwnScheme({ id, name, scheme: address }: { id: string; name: string; scheme: string | null }): boolean {
  if (address === null) return true;
  const [scheme = ''] = address.split(':');
  const words = scheme.split(/[+.-]/);
  const isNamed = [id, name]
    .map(lettersOf)
    .some((own) => own.length > 2 && (words.includes(own) || lettersOf(scheme).startsWith(own)));
  return !NO_APPS.has(words[0] ?? '') && (isNamed || REVERSED_DOMAIN.test(scheme));
}

const members = v.strictObject({
  id: v.pipe(
    v.string(),
    v.regex(APP_ID_PATTERN, 'must be 2 to 32 small letters, digits and hyphens, a letter first'),
    v.check((id) => !isSpecified(id) && id !== SANDBOX, 'is an app of the site itself, which does not change'),
  ),
  /** One line, also on a phone. */
  name: v.pipe(
    v.string(),
    v.normalize('NFC'),
    v.check(
      isReadable,
      `must be one line of up to ${String(MAX_NAME_LENGTH)} letters, digits and common marks, of one alphabet, without spaces at its ends`,
    ),
    v.check((name) => !RESERVED_NAMES.includes(lettersOf(name)), 'is that of an app of the site itself'),
  ),
  /** The address that opens the app; null for that of the site. */
  scheme: v.nullable(
    v.pipe(
      v.string(),
      v.regex(/^[a-z][a-z0-9+.-]{1,63}:\/\/[\w./-]{0,100}$/, 'must be an address such as my-app://key'),
    ),
  ),
  colour: v.picklist(APP_COLOURS, `must be ${APP_COLOURS.join(', ')}`),
  /** Of its author, for operators. */
  contact: v.nullable(line(200)),
  steps: v.pipe(
    v.number(),
    v.integer(`must be a whole number from 1 to ${String(MAX_STEPS)}`),
    v.minValue(1, `must be a whole number from 1 to ${String(MAX_STEPS)}`),
    v.maxValue(MAX_STEPS, `must be a whole number from 1 to ${String(MAX_STEPS)}`),
  ),
  /** The advertisers of every step, the default first. */
  advertisers: v.pipe(
    v.array(
      v.picklist(
        ADVERTISER_IDS.filter((id) => id !== SANDBOX),
        `must be of ${ADVERTISER_IDS.filter((id) => id !== SANDBOX).join(', ')}`,
      ),
    ),
    v.minLength(1, 'must name an advertiser'),
    v.check((ids) => new Set(ids).size === ids.length, 'must name each advertiser once'),
  ),
});

export const registeredAppSchema = v.pipe(
  members,
  v.forward(
    v.partialCheck(
      [['id'], ['name'], ['scheme']],
      isOwnScheme,
      'must have a scheme of the app’s own: with its id or its name as a word, or a domain such as com.example.tool',
    ),
    ['scheme'],
  ),
);
export type RegisteredApp = v.InferOutput<typeof registeredAppSchema>;

/** Reads a registered app back; undefined for one of the site itself. */
export function presentRegistered(row: AppRow): RegisteredApp | undefined {
  const facts = selectAppFacts(row);
  if (!facts || row.id === SANDBOX) return undefined;

  const { id, contact, stepsPerSeries: steps } = row;
  const colour = APP_COLOURS.find((known) => known === facts.colour) ?? APP_COLOURS[0];
  const advertisers = facts.advertisers.filter((each) => each !== SANDBOX);
  return { id, ...facts, colour, contact, steps, advertisers };
}

function toRow({ id, name, scheme, colour, contact, steps, advertisers }: RegisteredApp): AppRow {
  return {
    id,
    name,
    scheme,
    colour,
    contact,
    advertisers: advertisers.join(','),
    stepsPerSeries: steps,
    seriesRequired: 1,
    keyTtlMs: KEY_VALID_HOURS * 60 * 60_000,
    usualRunMs: null,
  };
}

/** Registers an app, with its step links; false when there is one with this id, and nothing is written then. */
export function addApp({ db }: { db: Db }, app: RegisteredApp, { by, at }: Act): Promise<boolean> {
  return transact(db, { apps: createAppsRepository }, async ({ apps, record }) => {
    if (!(await apps.insert(toRow(app)))) return false;

    await apps.fitStepLinks(toRow(app), app);
    record({ at, kind: 'app', code: 'added', subject: null, detail: { app: app.id, by } });
    return true;
  });
}

export type ChangeResult = { kind: 'changed'; app: RegisteredApp } | { kind: 'unknown' } | { kind: 'same' };

/**
 * Changes a registered app. Its open runs keep their number of steps, and their tickets their advertisers.
 * @param change makes the app as it is to be; what it throws is passed on
 */
export function changeApp(
  { db }: { db: Db },
  id: AppId,
  change: (app: RegisteredApp) => RegisteredApp,
  { by, at }: Act,
): Promise<ChangeResult> {
  return transact(db, { apps: createAppsRepository }, async ({ apps, record }): Promise<ChangeResult> => {
    const before = await apps.find(id);
    const present = before && presentRegistered(before);
    if (!present) return { kind: 'unknown' };

    const app = change(present);
    const row = { ...toRow(app), usualRunMs: app.steps === present.steps ? before.usualRunMs : null };
    if (JSON.stringify(app) === JSON.stringify(present)) return { kind: 'same' };

    await apps.update(row);
    await apps.fitStepLinks(row, app);
    record({ at, kind: 'app', code: 'changed', subject: null, detail: { app: id, by } });
    return { kind: 'changed', app };
  });
}

export type RemoveResult = { kind: 'removed' | 'unknown' } | { kind: 'in use'; runs: number; keys: number };

/** Removes a registered app with its devices, tokens and webhooks. It stays as long as a run or a key of it is stored. */
export function removeApp({ db }: { db: Db }, id: AppId, { by, at }: Act): Promise<RemoveResult> {
  const needs = { apps: createAppsRepository, webhooks: createWebhooksRepository };
  return transact(db, needs, async ({ apps, webhooks, record }) => {
    const row = await apps.find(id);
    if (!row || !presentRegistered(row)) return rollBack<RemoveResult>({ kind: 'unknown' });

    const resting = await apps.countResting(id);
    if (resting.runs + resting.keys > 0) return rollBack<RemoveResult>({ kind: 'in use', ...resting });

    await apps.remove(id);
    await webhooks.removeAllOf('app', id);
    record({ at, kind: 'app', code: 'removed', subject: null, detail: { app: id, by } });
    return { kind: 'removed' };
  });
}
