import express from 'express';

/** Reads JSON bodies. No call of this API needs more room than a captcha's solution does. */
export const jsonBody = express.json({ limit: '16kb' });
