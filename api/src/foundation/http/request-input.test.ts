import { ERRORS } from '@app/contracts/errors';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { AppError } from './app-error.ts';
import { parse } from './request-input.ts';

const SCHEMA = v.object({
  key: v.string(),
  at: v.optional(v.number()),
  list: v.optional(v.array(v.object({ id: v.picklist(['a', 'b']) }))),
  reason: v.optional(v.pipe(v.string(), v.minLength(3, 'is too short'))),
});

/** Reads an input that does not fit, with the codes of single members. */
function refuse(input: unknown, schema: v.GenericSchema = SCHEMA): AppError {
  try {
    parse(schema, input, { at: 'KS_HWID' });
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('It was accepted.');
}

test.each([
  { why: 'a missing member', input: {}, says: '“key” is missing.' },
  { why: 'a member of another type', input: { key: 7 }, says: '“key” isn’t what it should be.' },
  {
    why: 'a member deep within',
    input: { key: '', list: [{ id: 'c' }] },
    says: '“list.0.id” isn’t what it should be.',
  },
  { why: 'a wish of the schema', input: { key: '', reason: 'x' }, says: '“reason” is too short.' },
  { why: 'a text as body', input: 'key', says: 'The body isn’t what it should be.' },
  { why: 'no body', input: undefined, says: 'The body is missing.' },
  { why: 'two of them', input: { reason: 'x' }, says: '“key” is missing. “reason” is too short.' },
])('the error for $why names the member, without wording of the validator', ({ input, says }) => {
  expect(refuse(input)).toMatchObject({ code: 'request.invalid', message: says });
});

test('an unknown member is named', () => {
  expect(refuse({ key: '', other: 1 }, v.strictObject({ key: v.string() })).message).toBe('“other” isn’t known here.');
});

test('a member with an error code of its own is rejected with that code, and with its schema’s message', () => {
  expect(refuse({ key: '', at: 'noon' })).toMatchObject({ code: 'KS_HWID', message: ERRORS.KS_HWID.title });
  const wish = v.object({
    at: v.pipe(
      v.number(),
      v.check((at) => at > 5, 'must be above 5'),
    ),
  });
  expect(refuse({ at: 5 }, wish)).toMatchObject({ code: 'KS_HWID', message: '“at” must be above 5.' });
});
