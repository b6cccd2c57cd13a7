import express from 'express';

/** Parses JSON bodies of up to 16 kB, which the largest one, a captcha's solution, needs. */
export const jsonBody = express.json({ limit: '16kb' });
