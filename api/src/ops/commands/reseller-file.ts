import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { hasCode } from '#api/foundation/crypto/generated-secret-file.ts';
import { listedResellerSchema, type ListedReseller } from '#api/product/resellers/listed-reseller.ts';
import { describeIssue } from '#api/foundation/settings/read-json.ts';
import { OpsError } from '#api/ops/command.ts';
import { parseLocatedJson, type LocatedJson } from './located-json.ts';

/** Writes the list as the text of a file that `readResellers` takes. */
export function writeResellers(list: readonly ListedReseller[]): string {
  return JSON.stringify(list, null, 2);
}

/**
 * Saves a text as a new file.
 * @throws OpsError when the file is there already, or cannot be written
 */
export function saveNewFile(path: string, text: string): void {
  try {
    writeFileSync(path, `${text}\n`, { flag: 'wx' });
  } catch (error) {
    const why = hasCode(error, 'EEXIST') ? 'is there already' : 'cannot be written';
    throw new OpsError(`${path} ${why}; nothing was written.`, { cause: error });
  }
}

/**
 * Reads a file with the list of resellers.
 * @throws OpsError that names each wrong member and its line
 */
export function loadResellers(path: string): ListedReseller[] {
  return readResellers(path, readText(path));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OpsError(`${path} cannot be read; nothing was changed.`, { cause: error });
  }
}

function readResellers(path: string, text: string): ListedReseller[] {
  const json = locate(path, text);
  const result = v.safeParse(v.array(listedResellerSchema), json.value);
  const wrong = result.success
    ? findRepeated(json, result.output)
    : result.issues.map((issue) => describeWrong(json, issue));
  if (!result.success || wrong.length > 0) throw refuse(path, wrong);

  return result.output;
}

function locate(path: string, text: string): LocatedJson {
  try {
    return parseLocatedJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse(path, [error.message]);
    throw error;
  }
}

function describeWrong({ lineOf }: LocatedJson, issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) => key as string | number);
  const member = path.length > 1 ? String(path.at(-1)) : path.length > 0 ? 'the reseller' : 'the file';
  return `line ${String(lineOf(path))}: ${member} ${describeIssue(issue)}`;
}

function findRepeated({ lineOf }: LocatedJson, list: readonly ListedReseller[]): string[] {
  return list.flatMap(({ id }, index) =>
    list.findIndex((other) => other.id === id) < index
      ? [`line ${String(lineOf([index, 'id']))}: id ${id} is used before`]
      : [],
  );
}

function refuse(path: string, wrong: readonly string[]): OpsError {
  return new OpsError([`${path} is not taken; nothing was changed.`, ...wrong].join('\n'));
}
