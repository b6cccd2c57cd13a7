import { ERROR_CODES, ERRORS, type ErrorCode } from '@app/contracts/errors';
import { t } from './words.ts';

export const AUDIENCES = ['player', 'author', 'team', 'operator'] as const;

/** Who meets an error, and can do something about it: players, authors of apps, teams of the site, its operators. */
export type Audience = (typeof AUDIENCES)[number];

/** The groups of the list, by what their codes begin with, and who meets them. What players meet is first. */
const CODE_PREFIXES = [
  { id: 'key', pattern: /^KS_/, audience: 'player' },
  { id: 'plans', pattern: /^PAY_/, audience: 'player' },
  { id: 'resets', pattern: /^(?:RST|CLM|RDM)_/, audience: 'player' },
  { id: 'server', pattern: /^(?:request|route|server|stats|DOWNLOAD)/, audience: 'author' },
  { id: 'releases', pattern: /^(?:QA|release)/, audience: 'team' },
] as const;

export const GROUPS = CODE_PREFIXES.map(({ id, pattern }) => ({
  id,
  codes: ERROR_CODES.filter((code) => pattern.test(code)),
}));

/** Those that others meet than the rest of their group. */
const AUDIENCE_EXCEPTIONS: Readonly<Partial<Record<ErrorCode, readonly Audience[]>>> = {
  'server.unexpected': ['player', 'author'],
  'server.stopping': ['player', 'author'],
  'server.busy': ['player', 'author'],
  'server.incomplete': ['player', 'operator'],
  'server.full': ['player', 'operator'],
  KS_APP: ['player', 'author'],
  KS_HWID: ['player', 'author'],
  KS_ZONE: ['player', 'author'],
  KS_BLOCKED: ['player', 'author'],
  KS_LIMIT: ['player', 'author'],
  PAY_SIGNATURE: ['operator'],
  'release.store': ['team', 'operator'],
  DOWNLOAD_UNKNOWN: ['player'],
  DOWNLOAD_NONE: ['player'],
};

export function audiencesOf(code: ErrorCode): readonly Audience[] {
  return (
    AUDIENCE_EXCEPTIONS[code] ??
    CODE_PREFIXES.flatMap(({ pattern, audience }) => (pattern.test(code) ? [audience] : []))
  );
}

export interface Search {
  text: string;
  audience: Audience | undefined;
}

/** Finds the errors with every word of a text in their code, title or advice, in the visitor's language. */
export function findErrors({ text, audience }: Search): ErrorCode[] {
  const words = text.toLowerCase().split(/\s+/);

  return ERROR_CODES.filter((code) => {
    if (audience && !audiencesOf(code).includes(audience)) return false;

    const searched = `${code} ${titleOf(code)} ${adviceOn(code, audience)}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/** The sentence about an error. In English it is the API's own, so only its translations are in a catalogue. */
export function titleOf(code: ErrorCode): string {
  return (t as (id: string) => string)(`errors.title.${code}`) || ERRORS[code].title;
}

/** What to do about an error. Players read nothing that only authors of apps can do. */
export function adviceOn(code: ErrorCode, audience: Audience | undefined): string {
  const advice = t(`errors.${code}`);
  return audience !== 'player' && isOfBoth(code) ? `${advice} ${t(`errors.author.${code}`)}` : advice;
}

const isOfBoth = (code: ErrorCode) => code === 'KS_APP' || code === 'KS_HWID' || code === 'KS_ZONE';
