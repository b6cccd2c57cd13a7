import type { ErrorCode } from '@app/contracts/errors';
import * as v from 'valibot';
import express, { type RequestHandler } from 'express';
import { AppError } from './app-error.ts';

/**
 * Parses untrusted input with a schema.
 * @param codes error codes for single members
 * @throws AppError with the code of the first member that does not fit, or `request.invalid`
 */
export function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  codes: Readonly<Record<string, ErrorCode>> = {},
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;

  const code = codes[String(result.issues[0].path?.[0]?.key)];
  throw code ? new AppError(code) : new AppError('request.invalid', v.summarize(result.issues));
}

/** A query value as one string; undefined when it is missing or was given twice (an array). */
export function singleString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The body of a call that takes no data yet: `{}`, with any members, because later pages may send some. */
export const anyObject = v.looseObject({});

/**
 * Bounds the memory that bodies take while they come in, over all connections: beyond it, new ones are refused, and one
 * that goes on is cut. What counts are the bytes that came, because a head can promise any number of them.
 * @param room in bytes
 */
export function boundBodies(room: number): RequestHandler {
  let taken = 0;
  return (req, res, next) => {
    if (taken >= room) throw new AppError('server.busy');

    let own = 0;
    req.on('data', ({ length }: Buffer) => {
      own += length;
      taken += length;
      if (taken > room) req.destroy();
    });
    res.once('close', () => (taken -= own));
    next();
  };
}

const KB = 1024;

/** The largest JSON body is a captcha's solution. */
const LIMIT = 16 * KB;

/** Room for 4000 of the largest at once. */
const ROOM = 64 * KB * KB;

/** Parses JSON bodies of up to 16 kB. */
export const jsonBody: RequestHandler = express.Router().use(boundBodies(ROOM), express.json({ limit: LIMIT }));
