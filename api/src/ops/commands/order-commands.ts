import { formatPrice, PLANS } from '@app/contracts/plans';
import { ORDER_STATES } from '@app/contracts/checkout';
import { Option } from '@commander-js/extra-typings';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import type { OrderRow } from '#api/foundation/db/schema.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { createOrdersRepository } from '#api/product/payments/orders.repository.ts';
import { refundOrder } from '#api/product/payments/receive-payment-event.ts';
import { ProviderError } from '#api/foundation/http/call-provider.ts';
import { createAct, OpsError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { formatTable, formatTime, listAnswer, maskEmail, pick } from '#api/ops/format.ts';
import { byOption, linesOption, reasonOption, sinceOption } from '#api/ops/options.ts';

export const addOrderCommands: AddCommands = (program, { onSite }) => {
  const order = program.command('order').description('the orders from the site itself');

  order
    .command('list')
    .description('list the newest orders')
    .addOption(sinceOption())
    .addOption(new Option('--state <state>', 'only orders in this state').choices(ORDER_STATES))
    .addOption(linesOption())
    .action(({ since = 0, state, lines }) =>
      onSite(async ({ db }) => {
        const orders = await createOrdersRepository(db).listNewest({ since, state, limit: lines });
        return listAnswer(orders.map(presentOrder), {
          begun: ({ createdAt }) => formatTime(createdAt),
          order: ({ id }) => id,
          plan: ({ plan }) => plan,
          price: ({ amountCents }) => formatPrice(amountCents),
          state: (one) => one.state,
        });
      }),
    );

  order
    .command('show')
    .description('show one order, with the period that it paid for')
    .argument('<id>')
    .action((id) => onSite((context) => show(context, id)));

  order
    .command('refund')
    .description('ask the payment provider to give the money back; its message about that ends the period')
    .argument('<id>')
    .addOption(reasonOption())
    .addOption(byOption())
    .action((id, { reason, by }) => onSite((context) => refund(context, id, reason, createAct(context, by))));
};

async function show({ db, orderCipher }: OpsContext, id: string): Promise<Answer> {
  const order = await createOrdersRepository(db).find(id);
  if (!order) throw new OpsError('There is no such order; see: order list.');

  const { email } = orderCipher.openBuyer(order);
  const period = await createLicencesRepository(db).findPeriodOfOrder(id);
  const facts = {
    email: email === null ? null : maskEmail(email),
    country: order.countryCode,
    device: order.deviceId,
    ...pick(order, 'provider', 'providerRef', 'paymentRef'),
    licence: period?.licenceId ?? null,
    period: period?.id ?? null,
  };
  const presented = presentOrder(order);
  const lines = [
    ['plan', presented.plan],
    ['price', formatPrice(order.amountCents)],
    ['state', order.state],
    ['begun', formatTime(order.createdAt)],
    ['paid', formatTime(order.paidAt)],
    ['refunded', formatTime(order.refundedAt)],
    ...Object.entries(facts),
  ];
  return { data: { ...presented, ...facts }, text: formatTable(['order', id], lines) };
}

function presentOrder(order: OrderRow) {
  const plan = PLANS.find(({ mode }) => mode === order.mode)?.id ?? String(order.mode);
  return {
    id: order.id,
    plan,
    ...pick(order, 'amountCents', 'currency', 'state', 'createdAt', 'paidAt', 'refundedAt'),
  };
}

async function refund(context: OpsContext, id: string, reason: string, act: Act): Promise<Answer> {
  const { db, provider } = context;
  if (!provider)
    throw new OpsError(
      'This command knows no account with Stripe (STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET); nothing was changed. The fake Stripe of a development machine gives money back on its own page.',
    );

  const result = await refundOrder({ db, provider }, id, reason, act).catch(explainRefusal);
  if (result.kind === 'unknown') throw new OpsError('There is no such order; see: order list.');
  if (result.kind === 'unpaid')
    throw new OpsError(`This order is ${result.order.state}, so there is nothing to give back; nothing was changed.`);

  const { amountCents, currency } = result.order;
  return {
    data: { order: id, amountCents, currency, reason, by: act.by },
    text: `${formatPrice(amountCents)} are given back. The provider's message ends the period; see: order show ${id}.`,
  };
}

function explainRefusal(error: unknown): never {
  if (error instanceof ProviderError)
    throw new OpsError(`${error.message}. Type the same again: no money is given back twice.`, { cause: error });
  throw error;
}
