import { Router } from 'express';
import * as v from 'valibot';
import { jsonBody } from '#api/http/json-body.ts';
import { sayWhenUnreadable, sendPlainly } from '#api/http/plain-text.ts';
import type { LicencesService } from './licences.service.ts';

const INVALID_EMAIL = 'Please enter a valid email.';
const NO_LICENCE = 'No active subscriptions or licenses.';

const LONGEST_EMAIL = 254;

/** One @ with something on both sides; a line break anywhere could begin a header of a mail (threat row 30). */
const emailSchema = v.pipe(v.string(), v.regex(/^[^\r\n]*$/), v.trim(), v.maxLength(LONGEST_EMAIL), v.regex(/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u));
const resetSchema = v.object({ email: emailSchema });

/** The page reads these answers as plain text, word for word. */
export function licencesRoutes(licences: LicencesService): Router {
  const router = Router();

  router.post('/requestresetdevices', jsonBody, async (req, res) => {
    const body = v.safeParse(resetSchema, req.body);
    if (!body.success) return sendPlainly(res, 400, INVALID_EMAIL);

    const isRequested = await licences.requestReset(body.output.email);
    if (isRequested) return sendPlainly(res, 200, 'OK');
    sendPlainly(res, 404, NO_LICENCE);
  });
  router.use('/requestresetdevices', sayWhenUnreadable(INVALID_EMAIL));

  return router;
}
