import type { ErrorCode } from '@app/contracts/errors';

const count = (amount: number, one: string, many: string) => `${String(amount)} ${amount === 1 ? one : many}`;
const seconds = (amount: number) => count(amount, 'second', 'seconds');
const minutes = (amount: number) => count(amount, 'minute', 'minutes');
/** A length of time, from two hours on in hours. */
const timeLeft = (amount: number) => (amount < 120 ? minutes(amount) : count(Math.ceil(amount / 60), 'hour', 'hours'));

/** The words of all interstitials, in English. */
export const EN = {
  locale: 'en-GB',

  /** A link of another site leads into a run, or to a payment. */
  askForKey: {
    title: 'Carry on to your key?',
    text: 'Another site sent you here. If you’re after a key, go ahead.',
    label: 'Continue',
  },
  askToPay: {
    title: 'Carry on to payment?',
    text: 'Another site sent you here. If you want this plan, go ahead. You haven’t paid anything yet.',
    label: 'Continue',
  },
  askToPin: (pins: string) => ({
    title: 'Pin other versions here?',
    text: `Another site sent you here. This link gives this browser ${pins} for a few hours, for testing.`,
    label: 'Pin them',
  }),

  askToPreview: (what: string) => ({
    title: 'See a preview here?',
    text: `Another site sent you here. This browser would show ${what}, which isn’t out yet.`,
    label: 'Show the preview',
  }),

  /** After a form of a page without JavaScript. */
  leadsOn: {
    title: 'Taking you there',
    text: 'This page goes on by itself. If it doesn’t, tap the button.',
    label: 'Go on',
  },
  yourKey: (minutesLeft: number) => ({
    title: 'Here’s your key',
    text: `It works for ${timeLeft(minutesLeft)} more. Just open the app: it gets the key by itself.`,
    label: 'Launch',
  }),
  /** Ends what is told of a refusal. */
  goOnIn: (minutesLeft: number) => `You can go on in ${timeLeft(minutesLeft)}.`,
  askToKeepZone: {
    title: 'You started this run with another app link',
    text: 'Keep going and the key goes to your old link.',
    label: 'Keep going',
  },

  /** On the usual page. Neither says whether what was asked for is there. */
  noQaAccess:
    'This link asks for another version of the page. This browser has no QA access, so you see the usual one. To see the other, enter your team’s access key at /qa and open the link again, or ask for a share link.',
  shareEnded:
    'This link has ended or was changed, so you see the usual version of the page. To see the other, ask for a new link.',

  previewEnded: {
    title: 'This preview has ended',
    text: 'Its link no longer works. The version that everybody gets is one tap away.',
    label: 'Open the site',
  },

  runsAreFull: (waitS: number) => ({
    title: 'Lots of people are starting right now',
    text: `Runs that already started go first. This page tries again by itself in ${seconds(waitS)}, so just leave it open.`,
  }),
  sandbox: {
    title: 'This is where the ad would be',
    text: 'You’re in the sandbox, so this page stands in for the advertiser. Nothing to watch, nothing to click away.',
    goOn: 'Go on',
  },
  tooEarly: (waitS: number) => ({
    title: 'Almost there',
    text: `You’re back a little early. This page goes on by itself in ${seconds(waitS)}, so just leave it open.`,
  }),
  openedTooOften: {
    title: 'One moment',
    text: 'This link was opened too many times in a minute. The page goes on by itself, and you don’t lose anything.',
  },
  paymentsAreFull: (waitS: number) => ({
    title: 'One moment',
    text: `Lots of people are paying right now. This page goes on by itself in ${seconds(waitS)}. You haven’t been charged.`,
  }),
  tooManyPayments: (waitMinutes: number) => ({
    title: 'Slow down a little',
    text: `A lot of payments were started from here. Try again in ${minutes(waitMinutes)}.`,
  }),

  askToUnsubscribe: {
    title: 'Stop the reminders?',
    text: 'We won’t email you before your plan ends. You still get receipts, and the links you ask for.',
    label: 'Stop them',
  },
  unsubscribed: {
    title: 'Reminders are off',
    text: 'We won’t email you before your plan ends. Changed your mind? “See your plan” in your receipt turns them back on.',
  },

  /** Forms of our pages that a browser has sent itself. */
  forms: {
    code: 'Code',
    email: 'Email address',
    device: 'Device ID',
    link: 'The link in our email',
    refusal: 'Not quite yet',
    refused: {
      'request.invalid': 'Check every field, then send it again.',
      KS_HWID: 'Enter the whole device ID. Tap “Get Key” in the app: its page shows it.',
      KS_LIMIT: 'That’s too many tries. Give it a minute, then send it again.',
      RDM_CODE: 'We don’t know this code. Check it letter by letter.',
      RDM_USED: 'This code’s been used. Each works once. Wasn’t you? Ask your reseller.',
      RDM_REVOKED: 'This code was withdrawn. Ask the reseller who sold it.',
      RST_TOKEN:
        'This link doesn’t work anymore, or a part of it is missing. Paste all of the link in our newest email.',
      RST_LIMIT: 'You reset your devices not long ago, so you’ll have to wait. Your link still works.',
      CLM_FULL: 'Every slot of your plan is taken. Reset your devices first: that frees them all.',
    } as Partial<Record<ErrorCode, string>>,
    paste: {
      title: 'Paste your link',
      text: 'Without JavaScript, the end of your link doesn’t reach us. Copy the whole link from our email.',
    },
    readLink: 'Open my link',
    redeem: 'Redeem',
    redeemed: (plan: string, device: string, day: string) => ({
      title: `${plan} is on`,
      text: `It runs on device ${device} until ${day}. Your plan skips the key system, so just open the app and play.`,
    }),
    downloads: 'Get the app',
    reset: {
      send: 'Reset devices',
      invalid: 'Please enter a valid email.',
      none: 'Error: could not reset devices. No active subscriptions or licenses.',
      failed: 'Error: could not reset devices. Try again later.',
      sent: {
        title: 'Check your inbox',
        text: "Success: device reset requested. Check your inbox. If you didn't receive the email, please check your spam inbox.",
      },
      ask: (devices: number, plan: string, day: string) => ({
        title: `Remove ${count(devices, 'device', 'devices')}?`,
        text: `You keep ${plan}, until ${day}. Devices on it stop getting keys. After that, tap “Get Plan” in the app on your new phone and pick “I have a plan”.`,
      }),
      empty: {
        title: 'Your plan isn’t on any device',
        text: 'There’s nothing to reset. Tap “Get Plan” in the app on your phone and pick “I have a plan”.',
      },
      later: (day: string) => ({
        title: `You can reset again on ${day}`,
        text: 'You just reset. Nothing changes till then.',
      }),
    },
    claim: {
      request: {
        title: 'Add a device to your plan',
        text: 'We’ll send a link to the email address of your plan. It adds this device.',
      },
      ask: 'Send the link',
      asked: {
        title: 'Check your inbox',
        text: 'If this address has a plan, an email with a link is on its way. The link works for 30 minutes.',
      },
      confirm: (device: string, plan: string, day: string) => ({
        title: 'Add this device?',
        text: `Device ${device}, to ${plan}, until ${day}. Only go on if this is your own phone.`,
      }),
      send: 'Add this device',
      full: {
        title: 'Every slot is taken',
        text: 'Reset your devices first: that frees all slots and your plan stays.',
      },
      done: (plan: string, day: string) => ({
        title: 'Your plan is on this device',
        text: `${plan} is active on it until ${day}. Open the app and play.`,
      }),
    },
  },

  /** Before the download of the build for Vietnam. */
  askForVietnam: {
    title: 'For Vietnam residents only',
    text: 'The Vietnam build is for Vietnam residents only. Installing it may permanently change your account localisation and limit your access to the global version.',
    label: 'Download it',
  },
  resellers: {
    title: 'Official approved resellers',
    text: 'These shops sell V5 with our approval.',
    none: 'No shop sells V5 right now.',
  },

  problem: {
    /** What players read instead of an error's technical title, and what they do next. */
    texts: {
      'request.invalid': { title: 'This link is broken', text: 'Go back and try it from there.' },
      'route.not_found': { title: 'Nothing here', text: 'This address is wrong, or what it had is gone.' },
      'server.unexpected': { title: 'Something broke on our side', text: 'It’s not you. Try again in a minute.' },
      'server.stopping': { title: 'Back in a moment', text: 'We’re restarting. Try again in a few seconds.' },
      'server.busy': { title: 'Back in a moment', text: 'It’s really busy right now. Try again in a few seconds.' },
      KS_HWID: { title: 'This link is broken', text: 'Open it again from inside the app.' },
      KS_ZONE: { title: 'This link is broken', text: 'Open it again from inside the app.' },
      KS_LIMIT: { title: 'Too many tries', text: 'Give it a minute, then try again.' },
      KS_CAPTCHA: { title: 'The captcha timed out', text: 'Solve it again on the page of step 1.' },
      KS_COOLDOWN: { title: 'You’re on a timeout', text: '3 strikes in a day = 15 min timeout, 5 = 24 h.' },
      KS_BLOCKED: { title: 'The team blocked this device', text: 'No keys for it until the block ends.' },
      KS_UNFINISHED: {
        title: 'Your task isn’t finished',
        text: 'Go back and finish it, or start the step over.',
      },
      KS_FAST: {
        title: 'You came back too early',
        text: 'Start the step over and stay till the advertiser brings you back.',
      },
      KS_PROOF: {
        title: 'The advertiser didn’t confirm your step',
        text: 'Start the step over and finish everything it asks.',
      },
      KS_REUSE: { title: 'You already used that one', text: 'That run’s over. A new one starts at step 1.' },
      KS_EXPIRED: {
        title: 'That took too long',
        text: 'Press the button for a fresh link, and be back within 15 minutes.',
      },
      KS_PROVIDER_DOWN: {
        title: 'The advertiser didn’t answer',
        text: 'Try again in a moment, or pick another one.',
      },
      PAY_MODE: { title: 'There’s no such plan', text: 'Go back and pick one from the list.' },
      PAY_ORDER: { title: 'We don’t know this order', text: 'Check the link, or open it again from your email.' },
      RST_TOKEN: { title: 'This link doesn’t work any more', text: 'Open the link in your newest email instead.' },
      DOWNLOAD_NONE: { title: 'This download isn’t out yet', text: 'Go back and pick another version.' },
    } as Partial<Record<ErrorCode, { title: string; text: string }>>,
    retry: 'Give it a moment, then try again.',
    otherwise: 'Go back and try another way.',
    details: (title: string, ref: string) => `Asking support? Send them this: ${title} (${ref})`,
    back: 'Go back',
    home: 'Go to the home page',
  },
};

/** Another language is a second object of this type. */
export type InterstitialWords = typeof EN;
