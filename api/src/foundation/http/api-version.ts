import { API_VERSION } from '@app/contracts/api-version';
import type { RequestHandler } from 'express';
import { AppError } from './app-error.ts';

/**
 * Sets the API version in the response, and refuses a request for another version. A request that names none gets this
 * one.
 */
export const speakVersion: RequestHandler = (req, res, next) => {
  res.set('api-version', API_VERSION);
  const wanted = req.get('api-version');
  if (wanted !== undefined && wanted !== API_VERSION)
    throw new AppError('request.invalid', `This server speaks version ${API_VERSION}.`);

  next();
};
