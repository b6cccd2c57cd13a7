import { formatPrice } from '@app/contracts/plans';
import { urlencoded, Router, type Response } from 'express';
import * as v from 'valibot';
import { AppError } from '#api/foundation/http/app-error.ts';
import { escapeHtml } from '#api/foundation/http/html.ts';
import { SANDBOX_STYLE, sendSandboxPage } from '#api/foundation/http/interstitial.ts';
import { noReferrer, noStore } from '#api/foundation/http/headers.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import type { Misbehaviour } from './fake-api.ts';
import {
  performAction,
  findActions,
  type Action,
  type Buyer,
  type Delivery,
  type FakeEvent,
  type FakeSession,
} from './fake-session.ts';
import texts from './sandbox.en.json' with { type: 'json' };

export const PAGES_PATH = '/dev/pay';
const BANNER = `<p class="label">${texts.banner}</p>`;
const MAX_LISTED = 20;

/** What a form of a session's page sends. Only `action` has no default. */
const orderSchema = v.object({
  action: v.picklist([...keysOf(texts.actions), 'deliver']),
  webhook: v.optional(v.picklist(keysOf(texts.deliveries)), 'once'),
  email: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty()), 'buyer@example.com'),
  name: v.optional(v.pipe(v.string(), v.trim()), 'Robin Example'),
  country: v.optional(v.pipe(v.string(), v.trim(), v.toUpperCase(), v.regex(/^[A-Z]{2}$/)), 'DE'),
});
type Order = v.InferOutput<typeof orderSchema>;

const behaviourSchema = v.object({ how: v.picklist([...keysOf(texts.misbehaviours), 'right']) });

interface FakePagesDeps {
  sessions: Map<string, FakeSession>;
  deliver: (events: readonly FakeEvent[], how: Delivery) => Promise<void>;
  now: () => number;
  misbehaviour: () => Misbehaviour | undefined;
  misbehave: (how: Misbehaviour | undefined) => void;
}

/** The pages of the fake Stripe: one for each session, where its buyer pays, and one that lists the sessions. */
export function fakePages({ sessions, deliver, now, misbehaviour, misbehave }: FakePagesDeps): Router {
  const router = Router().use(noStore, noReferrer, urlencoded({ extended: false }));

  router.get('/sandbox.css', (_req, res) => void res.type('css').send(SANDBOX_STYLE));

  router.get('/', (_req, res) => sendList(res, [...sessions.values()], misbehaviour()));

  router.post('/', (req, res) => {
    const { how } = parse(behaviourSchema, req.body);
    misbehave(how === 'right' ? undefined : how);
    res.redirect(303, PAGES_PATH);
  });

  router.get('/:id', (req, res) => {
    const session = requireSessionPooling(req.params.id);
    sendSession(res, session, { actions: findActions(session, now()), note: req.query['note'] });
  });

  router.post('/:id', async (req, res) => {
    const session = requireSessionPooling(req.params.id);
    const order = parse(orderSchema, req.body ?? {});

    const happened = carryOut(session, order, now());
    await deliver(happened, order.action === 'deliver' ? 'once' : order.webhook);
    res.redirect(303, findNext(session, order, happened));
  });

  function requireSessionPooling(id: string): FakeSession {
    const session = sessions.get(id);
    if (!session) throw new AppError('request.invalid', 'The fake Stripe knows no such session.');
    return session;
  }

  return router;
}

/** Does what a form asks. Returns the events to deliver. */
function carryOut(session: FakeSession, { action, webhook, email, name, country }: Order, at: number): FakeEvent[] {
  // Stripe repeats events that were not answered well. Here all of them are repeated.
  if (action === 'deliver') return session.events;

  const buyer: Buyer = { email, name: name === '' ? null : name, country };
  const events = performAction(session, action, buyer, at);
  return webhook === 'out_of_order' ? [...events, ...performAction(session, 'refund', buyer, at)] : events;
}

/** Where a form leads to: a buyer goes back to the site, a developer stays. */
function findNext(session: FakeSession, { action }: Order, happened: readonly FakeEvent[]): string {
  const page = `${PAGES_PATH}/${session.id}`;
  if (action === 'cancel') return session.cancelUrl ?? page;
  if (action === 'decline') return `${page}?note=declined`;

  const hasPaid = (action === 'pay' || action === 'later') && happened.length > 0;
  return hasPaid ? session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', session.id) : page;
}

function sendSession(
  res: Response,
  session: FakeSession,
  { actions, note }: { actions: readonly Action[]; note: unknown },
): void {
  const { description, amountCents, status } = session;
  const { title, standsIn, declined, all } = texts.checkout;
  const isOpen = status === 'open';

  sendSandboxPage(res, {
    title,
    stylesheet: `${PAGES_PATH}/sandbox.css`,
    main: [
      BANNER,
      `<h1>${escapeHtml(formatPrice(amountCents))}</h1>`,
      `<p>${escapeHtml(description)}. ${standsIn}</p>`,
      note === 'declined' && isOpen ? `<p role="alert">${declined}</p>` : '',
      `<form method="post" action="${PAGES_PATH}/${session.id}">`,
      actions.includes('pay') ? BUYER_FIELDS : isOpen ? '' : `<p>${describeState(session)}</p>`,
      actions.length > 0 ? `<label>${texts.checkout.delivery} ${writeSelect('webhook', texts.deliveries)}</label>` : '',
      showActions(actions),
      '</form>',
      showEvents(session),
      `<p class="below"><a href="${PAGES_PATH}">${all}</a></p>`,
    ].join('\n'),
  });
}

const BUYER_FIELDS = `<label>${texts.checkout.email} <input name="email" type="email" required value="buyer@example.com" autocomplete="off"></label>
<label>${texts.checkout.name} <input name="name" value="Robin Example" autocomplete="off"></label>
<label>${texts.checkout.country} <input name="country" required pattern="[A-Za-z]{2}" maxlength="2" value="DE" autocomplete="off"></label>`;

function writeSelect(name: string, labels: Readonly<Record<string, string>>, selected?: string): string {
  const options = Object.entries(labels).map(
    ([value, label]) => `<option value="${value}"${value === selected ? ' selected' : ''}>${label}</option>`,
  );
  return `<select name="${name}">${options.join('')}</select>`;
}

function describeState({ status, payment }: FakeSession): string {
  return texts.states[status === 'expired' ? 'expired' : (payment?.state ?? 'failed')];
}

/** The first action is the one that most buyers want. */
function showActions([first, ...others]: readonly Action[]): string {
  if (first === undefined) return '';

  const buttons = others.map((action) => {
    // A buyer who cancels has filled in nothing.
    const formless = action === 'cancel' || action === 'expire' ? ' formnovalidate' : '';
    return `<button name="action" value="${action}"${formless}>${texts.actions[action]}</button>`;
  });
  return `<button class="continue" name="action" value="${first}">${texts.actions[first]}</button>
<fieldset>
<legend>${texts.checkout.orElse}</legend>
${buttons.join('\n')}
</fieldset>`;
}

function showEvents({ id, events }: FakeSession): string {
  if (events.length === 0) return '';

  const items = events.map(({ type, answers }) => {
    // A long type is broken after a dot.
    const name = type.replaceAll('.', '.<wbr>');
    return `<li>${name}: ${answers.join(', ') || texts.checkout.unanswered}</li>`;
  });
  return `<h2>${texts.checkout.events}</h2>
<ul>
${items.join('\n')}
</ul>
<form method="post" action="${PAGES_PATH}/${id}"><button name="action" value="deliver">${texts.checkout.again}</button></form>`;
}

function sendList(res: Response, sessions: readonly FakeSession[], misbehaviour: Misbehaviour | undefined): void {
  const items = sessions
    .slice(-MAX_LISTED)
    .reverse()
    .map(({ id, amountCents, description, status, payment, createdAtS }) => {
      const time = new Date(createdAtS * 1000).toISOString().slice(11, 19);
      const name = `${time} UTC, ${formatPrice(amountCents)}, ${description}`;
      return `<li><a href="${PAGES_PATH}/${id}">${escapeHtml(name)}</a>: ${payment?.state ?? status}</li>`;
    });
  const { title, none, stripe, right, set } = texts.list;

  sendSandboxPage(res, {
    title,
    stylesheet: `${PAGES_PATH}/sandbox.css`,
    main: `${BANNER}
<h1>${title}</h1>
${items.length > 0 ? `<ul>\n${items.join('\n')}\n</ul>` : `<p>${none}</p>`}
<form method="post" action="${PAGES_PATH}">
<label>${stripe} ${writeSelect('how', { right, ...texts.misbehaviours }, misbehaviour)}</label>
<button class="below">${set}</button>
</form>`,
  });
}

function keysOf<Key extends string>(labels: Readonly<Record<Key, string>>): Key[] {
  return Object.keys(labels) as Key[];
}
