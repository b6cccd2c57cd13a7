import { formatPrice } from '@app/contracts/plans';
import { urlencoded, Router, type Response } from 'express';
import * as v from 'valibot';
import { AppError } from '#api/foundation/http/app-error.ts';
import { escapeHtml } from '#api/foundation/http/html.ts';
import { SANDBOX_STYLE, sendSandboxPage } from '#api/foundation/http/interstitial.ts';
import { noReferrer, noStore } from '#api/foundation/http/headers.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { MISBEHAVIOURS, type Misbehaviour } from './fake-api.ts';
import { DELIVERIES, type Delivery, type FakeEvent } from './fake-event.ts';
import { act, ACTIONS, findActions, type Action, type Buyer, type FakeSession } from './fake-session.ts';

export const PAGES_PATH = '/dev/pay';
const BANNER = '<p class="label">TEST MODE – no money</p>';
const MOST_LISTED = 20;

/** What a form of a session's page sends. Only `action` has no default. */
const orderSchema = v.object({
  action: v.picklist([...keysOf(ACTIONS), 'deliver']),
  webhook: v.optional(v.picklist(keysOf(DELIVERIES)), 'once'),
  email: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty()), 'buyer@example.com'),
  name: v.optional(v.pipe(v.string(), v.trim()), 'Robin Example'),
  country: v.optional(v.pipe(v.string(), v.trim(), v.toUpperCase(), v.regex(/^[A-Z]{2}$/)), 'DE'),
});
type Order = v.InferOutput<typeof orderSchema>;

const mannersSchema = v.object({ how: v.picklist([...keysOf(MISBEHAVIOURS), 'right']) });

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
    const { how } = parse(mannersSchema, req.body);
    misbehave(how === 'right' ? undefined : how);
    res.redirect(303, PAGES_PATH);
  });

  router.get('/:id', (req, res) => {
    const session = requireSession(req.params.id);
    sendSession(res, session, { actions: findActions(session, now()), note: req.query['note'] });
  });

  router.post('/:id', async (req, res) => {
    const session = requireSession(req.params.id);
    const order = parse(orderSchema, req.body ?? {});

    const happened = carryOut(session, order, now());
    await deliver(happened, order.action === 'deliver' ? 'once' : order.webhook);
    res.redirect(303, findNext(session, order, happened));
  });

  function requireSession(id: string): FakeSession {
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
  const events = act(session, action, buyer, at);
  return webhook === 'out_of_order' ? [...events, ...act(session, 'refund', buyer, at)] : events;
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
  const declined = '<p role="alert">The card was declined. Nothing was paid. Try again.</p>';

  sendSandboxPage(res, {
    title: 'Checkout',
    stylesheet: `${PAGES_PATH}/sandbox.css`,
    main: [
      BANNER,
      `<h1>${escapeHtml(formatPrice(amountCents))}</h1>`,
      `<p>${escapeHtml(description)}. This page stands in for Stripe Checkout while developing.</p>`,
      note === 'declined' && status === 'open' ? declined : '',
      `<form method="post" action="${PAGES_PATH}/${session.id}">`,
      actions.includes('pay') ? BUYER_FIELDS : status === 'open' ? '' : `<p>${describeState(session)}</p>`,
      actions.length > 0 ? DELIVERY_FIELD : '',
      showActions(actions),
      '</form>',
      showEvents(session),
      `<p class="below"><a href="${PAGES_PATH}">All payments</a></p>`,
    ].join('\n'),
  });
}

const BUYER_FIELDS = `<label>Email <input name="email" type="email" required value="buyer@example.com" autocomplete="off"></label>
<label>Name <input name="name" value="Robin Example" autocomplete="off"></label>
<label>Country <input name="country" required pattern="[A-Za-z]{2}" maxlength="2" value="DE" autocomplete="off"></label>`;

const DELIVERY_FIELD = `<label>The webhook comes <select name="webhook">${Object.entries(DELIVERIES)
  .map(([how, label]) => `<option value="${how}">${label}</option>`)
  .join('')}</select></label>`;

function describeState({ status, payment }: FakeSession): string {
  if (status === 'expired') return 'This session has expired.';
  if (payment?.state === 'processing') return 'The buyer is through. The bank has not decided yet.';
  return `The payment has ${{ succeeded: 'succeeded', failed: 'failed', refunded: 'been refunded', disputed: 'been disputed', inquired: 'succeeded, and the bank inquires', won: 'succeeded: the dispute was won' }[payment?.state ?? 'failed']}.`;
}

/** The first action is the one that most buyers want. */
function showActions([first, ...others]: readonly Action[]): string {
  if (first === undefined) return '';

  const buttons = others.map((action) => {
    // A buyer who cancels has filled in nothing.
    const formless = action === 'cancel' || action === 'expire' ? ' formnovalidate' : '';
    return `<button name="action" value="${action}"${formless}>${ACTIONS[action]}</button>`;
  });
  return `<button class="continue" name="action" value="${first}">${ACTIONS[first]}</button>
<fieldset>
<legend>Or else</legend>
${buttons.join('\n')}
</fieldset>`;
}

function showEvents({ id, events }: FakeSession): string {
  if (events.length === 0) return '';

  const items = events.map(({ type, answers }) => {
    // A long type is broken after a dot.
    const name = type.replaceAll('.', '.<wbr>');
    return `<li>${name}: ${answers.join(', ') || 'not answered'}</li>`;
  });
  return `<h2>Webhook: what the site has answered</h2>
<ul>
${items.join('\n')}
</ul>
<form method="post" action="${PAGES_PATH}/${id}"><button name="action" value="deliver">Deliver again</button></form>`;
}

function sendList(res: Response, sessions: readonly FakeSession[], misbehaviour: Misbehaviour | undefined): void {
  const items = sessions
    .slice(-MOST_LISTED)
    .reverse()
    .map(({ id, amountCents, description, status, payment, createdAtS }) => {
      const time = new Date(createdAtS * 1000).toISOString().slice(11, 19);
      const name = `${time} UTC, ${formatPrice(amountCents)}, ${description}`;
      return `<li><a href="${PAGES_PATH}/${id}">${escapeHtml(name)}</a>: ${payment?.state ?? status}</li>`;
    });
  const options = Object.entries({ right: 'Answers as it should', ...MISBEHAVIOURS }).map(
    ([how, label]) => `<option value="${how}"${how === misbehaviour ? ' selected' : ''}>${label}</option>`,
  );

  sendSandboxPage(res, {
    title: 'Payments',
    stylesheet: `${PAGES_PATH}/sandbox.css`,
    main: `${BANNER}
<h1>Payments</h1>
${items.length > 0 ? `<ul>\n${items.join('\n')}\n</ul>` : '<p>None has been begun since the server started.</p>'}
<form method="post" action="${PAGES_PATH}">
<label>Stripe <select name="how">${options.join('')}</select></label>
<button class="below">Set</button>
</form>`,
  });
}

function keysOf<Key extends string>(labels: Readonly<Record<Key, string>>): Key[] {
  return Object.keys(labels) as Key[];
}
