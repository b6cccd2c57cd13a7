import type { RequestHandler } from 'express';
import { judgeNavigation } from '#api/foundation/http/fetch-metadata.ts';
import { sendInterstitial } from '#api/foundation/http/html.ts';
import { findPinProblem } from './find-pin-problem.ts';
import { formatPins, parsePinAddress, parsePins } from './pin-addresses.ts';
import type { Qa } from './qa.ts';
import { QA_LASTS_MS } from './qa-cookies.ts';
import { readGrant } from './share-grants.ts';

/**
 * Answers pin links, on the way to the pages: pins what the address asks for, and redirects to the same address without
 * it. What cannot be pinned leaves the pins as they are, and the page says why.
 */
export function answerPinLinks(qa: Qa): RequestHandler {
  const { signer, cookies, registry, now } = qa;

  return async (req, res, next) => {
    const address = req.method === 'GET' ? parsePinAddress(req.url) : undefined;
    if (!address) return next();

    const leave = (notice?: string) => {
      if (notice !== undefined) cookies.putNotice(res, notice);
      // As it is: Express would encode some of its letters anew.
      res.status(303).set({ location: address.rest, 'cache-control': 'no-store' }).end();
    };

    const pins = parsePins(address.pins);
    if (pins && Object.keys(pins).length === 0) {
      cookies.endPins(res);
      return leave();
    }

    const granted = pins && address.grant !== undefined ? readGrant(signer, address.grant, pins) : undefined;
    if (!qa.hasAccess(req) && !(granted !== undefined && granted > now()))
      return leave(
        address.grant === undefined
          ? 'Only people with QA access can pin versions. You see the usual ones.'
          : 'This link has ended or was changed. You see the usual versions.',
      );
    if (!pins) return leave('The address asks for pins that cannot be read. Nothing was pinned.');

    const problem = await findPinProblem(registry, pins);
    if (problem) return leave(`Nothing was pinned: ${problem}`);

    // Only a person may do this: not a picture, a frame or a prefetch, and not another site behind their back.
    const judgement = req.headers['sec-fetch-site'] === undefined ? 'act' : judgeNavigation(req, '');
    if (judgement === 'refuse') return void res.status(403).end();
    if (judgement === 'ask')
      return sendInterstitial(res.set('cache-control', 'no-store'), {
        title: 'Pin other versions here?',
        text: `Another site sent you here. This link gives this browser ${formatPins(pins)} for some hours, for tests.`,
        link: { href: req.originalUrl, label: 'Pin them' },
      });

    const session = cookies.readPins(req);
    const [until, by] = qa.hasAccess(req)
      ? ([now() + QA_LASTS_MS, 'link'] as const)
      : ([granted ?? 0, 'share'] as const);
    const faults = session && session !== 'ended' && by === 'link' ? session.faults : {};
    await qa.putPins(res, { pins, faults, until, by });
    leave();
  };
}
