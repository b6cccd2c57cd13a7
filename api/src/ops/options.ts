import { readHwid } from '@app/contracts/hwid';
import { APP_ID_PATTERN } from '@app/contracts/key-system';
import { readPasted } from '@app/contracts/read-pasted';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import * as v from 'valibot';

const UNITS_MS = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 } as const;

const DATE = /^\d{4}-\d{2}-\d{2}(?=$|T\d{2}:\d{2})/;

/** One line without control characters, which goes into the audit. */
const NOTE_PATTERN = /^[^\p{Cc}]{1,200}$/u;

export const appOption = () => new Option('--app <app>', 'only the device of this app').argParser(parseAppId);

export const reasonOption = () =>
  new Option('--reason <text>', 'why, in one line; it is kept with what you do (required)')
    .argParser(parseNote)
    .makeOptionMandatory();

export const byOption = () =>
  new Option('--by <name>', 'who answers for it (default: the user of this machine)').argParser(parseNote);

export const untilOption = () =>
  new Option('--until <date>', 'such as 2026-12-31 or 2026-12-31T18:00Z').argParser(parseDate).conflicts('for');

export const forOption = () => new Option('--for <duration>', 'such as 30m, 12h, 7d').argParser(parseDuration);

export const sinceOption = () =>
  new Option('--since <date>', 'only those from then on, such as 2026-12-31').argParser(parseDate);

export const fromOption = () => new Option('--from <day>', 'the first day, such as 2026-12-01').argParser(parseDay);

export const toOption = () =>
  new Option('--to <day>', 'the last day, such as 2026-12-31 (default: today)').argParser(parseDay);

export const linesOption = () =>
  new Option('--lines <number>', 'how many rows, from 1 to 9999').argParser(wholeNumber(1, 9999)).default(20);

/** Makes a parser of arguments from a schema. */
export function parseWith<Output>(schema: v.GenericSchema<string, Output>) {
  return (text: string): Output => {
    const result = v.safeParse(schema, text);
    if (result.success) return result.output;
    throw new InvalidArgumentError(`It ${result.issues[0].message}.`);
  };
}

export function parseAppId(text: string): string {
  if (!APP_ID_PATTERN.test(text)) throw new InvalidArgumentError('It is no id of an app, such as main.');

  return text;
}

/** Parses a device id, as it was pasted. */
export function parseHwid(text: string): string {
  const hwid = readHwid(readPasted(text));
  if (hwid !== undefined) return hwid;

  throw new InvalidArgumentError(
    'A device id has 6 to 128 letters, digits, dots, underscores, colons, hyphens, and is none that many devices send.',
  );
}

/** Parses a date into epoch milliseconds. */
function parseDate(text: string): number {
  const time = Date.parse(text);
  // `Date.parse` alone accepts `40`, and 31 February.
  const [day] = DATE.exec(text) ?? [];
  if (day === undefined || Number.isNaN(time) || !isRealDay(day))
    throw new InvalidArgumentError('It is no date such as 2026-12-31 or 2026-12-31T18:00Z.');

  return time;
}

/** Parses a UTC day into the epoch milliseconds of its beginning. */
function parseDay(text: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || !isRealDay(text))
    throw new InvalidArgumentError('It is no day such as 2026-12-31.');

  return Date.parse(`${text}T00:00Z`);
}

function isRealDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Parses a duration into milliseconds. */
function parseDuration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined)
    throw new InvalidArgumentError('It is no number of minutes, hours or days such as 30m, 12h, 7d.');

  return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

/** Makes a parser of whole numbers. */
export const wholeNumber = (least: number, most: number) => (text: string) => {
  const number = Number(text);
  if (!/^(0|[1-9]\d*)$/.test(text) || number < least || number > most)
    throw new InvalidArgumentError(`It is no number from ${least} to ${most}.`);

  return number;
};

/** Parses how many users trust a reseller; null when it is not known. */
export function parseTrusted(text: string): number | null {
  if (text === 'unknown') return null;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is no whole number, nor `unknown`.');

  return Number(text);
}

function parseNote(text: string): string {
  const note = text.trim();
  if (!NOTE_PATTERN.test(note)) throw new InvalidArgumentError('It is one line of up to 200 characters.');

  return note;
}
