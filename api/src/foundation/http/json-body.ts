import express, { type RequestHandler } from 'express';
import { boundBodies } from './bound-bodies.ts';

const KB = 1024;

/** The largest JSON body is a captcha's solution. */
const LIMIT = 16 * KB;

/** Room for 4000 of the largest at once. */
const ROOM = 64 * KB * KB;

/** Parses JSON bodies of up to 16 kB. */
export const jsonBody: RequestHandler = express.Router().use(boundBodies(ROOM), express.json({ limit: LIMIT }));
