/** A paragraph of a mail. With an address, the words in brackets lead there. */
export type Paragraph = string | { text: string; href: string };

/** A row of a mail's facts: its label and its value. */
export type Fact = readonly [label: string, value: string];

export const fact = (label: string, value: string): Fact => [label, value];

interface PlanUntil {
  plan: string;
  until: string;
}

/**
 * The words of all mails, in English. Another language is a second object of this type. Sentences are whole, because the
 * order of words is the language's own; times come written out, as `moment` joins them.
 */
export const EN = {
  lang: 'en',
  locale: 'en-GB',
  moment: (day: string, time: string, zone: string) => `${day}, ${time}\u00a0(${zone})`,
  zone: (country: string, offset: string) => `${country}, ${offset}`,
  rawLink: 'Button doesn’t work? Copy this link:',
  order: (ref: string) => `Order ${ref}`,
  newPhone:
    'New phone? Open the plans page from the app on it and tap “I\u00a0have a\u00a0plan”. We’ll email you a link.',
  notYou: 'Wasn’t you? Tell [our support] right away.',

  receipt: ({ plan, until, price }: PlanUntil & { price: string }) => ({
    subject: `Your ${plan} plan is on`,
    preheader: `You paid ${price}. It runs until ${until}.`,
    heading: `${plan} is on`,
    lead: 'Thanks, your payment’s in. Your plan skips the key system, so just open the app and play.',
    facts: [fact('Plan', plan), fact('Runs until', until), fact('Paid', price)],
    button: 'See your plan',
    ends: 'It ends by itself: no renewal, no new charge.',
    refund: 'Want your money back? Send [our support] your order number.',
  }),

  redeemed: ({ plan, until, reseller }: PlanUntil & { reseller: string }) => ({
    subject: `Your ${plan} plan is on`,
    preheader: `Your code worked. The plan runs until ${until}.`,
    heading: `${plan} is on`,
    lead: 'Your code worked. Your plan skips the key system, so just open the app and play.',
    facts: [fact('Plan', plan), fact('Runs until', until), fact('Code from', reseller)],
    button: 'Open the plans page',
    questions: `Something off with the purchase? Ask ${reseller}, who sold you the code.`,
  }),

  resetLink: ({ until, nextAt }: { until: string; nextAt: string | null }) => ({
    subject: 'Reset your devices',
    preheader: 'Confirm it, or ignore this email and nothing changes.',
    heading: 'Reset your devices?',
    lead: 'Someone asked to take every device off your plan. If that was you, confirm it here.',
    facts: [
      fact('Link works', `once, until ${until}`),
      ...(nextAt === null ? [] : [fact('Next reset', `from ${nextAt}`)]),
    ],
    button: 'Reset devices',
    early: 'You reset not long ago, so you’ll have to wait for the next one.',
    ignore: 'Wasn’t you? Ignore this email. Your devices stay as they are.',
  }),

  resetDone: ({ nextAt }: { nextAt: string }) => ({
    subject: 'Your devices were reset',
    preheader: 'Your plan keeps running. Put it back on the phone you use.',
    heading: 'Devices reset',
    lead: 'No device is on your plan now, and the plan keeps running. To get it back on your phone, open the plans page from the app there and tap “I have a plan”.',
    facts: [fact('Next reset', `from ${nextAt}`)],
    button: 'Open the plans page',
  }),

  claimLink: ({ device, until }: { device: string; until: string }) => ({
    subject: 'Add a device to your plan',
    preheader: 'Confirm it, or ignore this email and nothing changes.',
    heading: 'Add this device?',
    lead: 'Someone wants to use your plan on another device. If that was you, confirm it here.',
    facts: [fact('Device', device), fact('Link works', `once, until ${until}`)],
    button: 'Add the device',
    ignore: 'Wasn’t you? Ignore this email. No device gets added.',
  }),

  deviceAdded: ({ device, until }: { device: string; until: string }) => ({
    subject: 'A device was added to your plan',
    preheader: `Device ${device} is on your plan now.`,
    heading: 'Device added',
    lead: 'It gets its keys from your plan now, no steps.',
    facts: [fact('Device', device), fact('Plan runs until', until)],
  }),

  reminder: ({ plan, until, day }: PlanUntil & { day: string }) => ({
    subject: `Your ${plan} plan ends on ${day}`,
    preheader: `Until ${until}. Nothing renews, and you won’t be charged.`,
    heading: `${plan} ends on ${day}`,
    lead: 'Nothing renews by itself and you won’t be charged. Want to keep skipping the key system? Renew from the app: the days add up.',
    facts: [fact('Plan', plan), fact('Ends', until)],
    button: 'See plans and prices',
    why: 'You asked for this reminder after you paid. [Stop reminders]',
  }),
};

export type MailWords = typeof EN;
