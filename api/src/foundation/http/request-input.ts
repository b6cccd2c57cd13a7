import type { ErrorCode } from '@app/contracts/errors';
import * as v from 'valibot';
import { AppError } from './app-error.ts';

/** @throws AppError with the code of the first member that does not fit, or `request.invalid` */
export function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  codes: Readonly<Record<string, ErrorCode>> = {},
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;

  const [first] = result.issues;
  const code = codes[String(first.path?.[0]?.key)];
  if (code) throw new AppError(code, isOwnMessage(first) ? describeIssues([first]) : undefined);
  throw new AppError('request.invalid', describeIssues(result.issues));
}

/** Says what is wrong with each member. The validator's own words are about a schema that the sender does not have. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map((issue) => `${memberNameOf(issue)} ${describeIssueReason(issue)}.`).join(' ');
}

function memberNameOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return path === null ? 'The body' : `“${path}”`;
}

function isOwnMessage({ message }: Pick<v.BaseIssue<unknown>, 'message'>): boolean {
  return !message.startsWith('Invalid ');
}

function describeIssueReason({ message, expected, input }: v.BaseIssue<unknown>): string {
  if (isOwnMessage({ message })) return message;
  if (expected === 'never') return 'isn’t known here';
  return input === undefined ? 'is missing' : 'isn’t what it should be';
}

/** A query value as one string; undefined when it is missing or was given twice (an array). */
export function singleString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The body of a call that takes no data yet: `{}`, with any members, because later pages may send some. */
export const anyObject = v.looseObject({});
