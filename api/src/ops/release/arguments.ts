import { Argument, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { PREVIEW_DAYS, unitSchema, versionSchema } from '@app/contracts/release';
import { parseWith } from '#api/ops/options.ts';

const LABEL = /^[^\p{Cc}]{1,60}$/u;
const MAX_DAYS = 365;

export const unitArgument = () => new Argument('<unit>', 'such as key-system').argParser(parseWith(unitSchema));

export const versionArgument = () => new Argument('<version>', 'such as 1.4.0').argParser(parseWith(versionSchema));

/** @param usual what the command does without it */
export const optionalVersion = (usual: string) =>
  new Argument('[version]', `such as 1.4.0 (default: ${usual})`).argParser(parseWith(versionSchema));

export const percentOption = <const Name extends string>(name: Name, text: string) =>
  new Option(`${name} <percent>` as const, text).argParser(parsePercent);

export const daysOption = () =>
  new Option('--days <number>', `how long it works, from 1 to ${String(MAX_DAYS)} days`)
    .argParser((text) => parseDays(text, MAX_DAYS))
    .default(90);

export const previewDaysOption = () =>
  new Option(
    '--days <number>',
    `how long the preview lasts, from 1 to ${String(PREVIEW_DAYS.most)} days (default: ${String(PREVIEW_DAYS.usual)})`,
  ).argParser((text) => parseDays(text, PREVIEW_DAYS.most));

export function parseLabel(text: string): string {
  if (!LABEL.test(text.trim())) throw new InvalidArgumentError('It is one line of up to 60 characters.');
  return text.trim();
}

function parsePercent(text: string): number {
  const percent = Number(text);
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text) || percent < 0.01 || percent > 100)
    throw new InvalidArgumentError('It is no number from 0.01 to 100.');
  return percent;
}

function parseDays(text: string, most: number): number {
  const days = Number(text);
  if (!/^[1-9]\d{0,2}$/.test(text) || days > most)
    throw new InvalidArgumentError(`It is no number from 1 to ${String(most)}.`);
  return days;
}
