import express, { type RequestHandler } from 'express';

/** Parses JSON bodies of up to 16 kB. The largest is a captcha's solution, and takes no more than its connection does. */
export const jsonBody: RequestHandler = express.json({ limit: 16 * 1024 });
