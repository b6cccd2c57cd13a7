type Json = Record<string, unknown>;

const TIME = 'In epoch milliseconds, by the server’s clock.';

/**
 * What the members of answers, bodies and queries mean. They are not in the schemas, because pages load those. A name with its
 * component goes before the name alone.
 */
export const MEMBERS: Readonly<Record<string, Json>> = {
  hwid: {
    description:
      'The device ID: always the same on one device, different on every other. White space around it is left out. What many devices send, such as `undefined` or a MAC address of zeros, is refused.',
    examples: ['demo-device-0001'],
  },
  'query.zone': {
    description:
      'A word of the app’s own, such as a random one that it keeps. Only a call with the zone that the page was opened with gets the key of a run. A plan’s key comes for any zone.',
    examples: ['demo-zone'],
  },
  'query.app': { description: 'The app whose key is meant.', examples: ['main', 'companion', 'sandbox', 'my-app'] },
  'KeyCheck.app': { description: 'The app that the key is for.', examples: ['main', 'companion', 'sandbox', 'my-app'] },
  'KeyCheck.key': { description: 'The text of the key, as it came.' },
  'KeyCheck.nonce': {
    description: 'A random text that is made for this one call. With it, the answer has a signed `verdict`.',
    examples: ['hN3bq0vYt7mQ2xWk'],
  },
  app: { description: 'The app that the call meant.', examples: ['main'] },
  now: { description: `The server’s time. ${TIME}`, format: 'int64' },
  expiresAt: { description: `When it ends. ${TIME}`, format: 'int64' },
  until: { description: `When the wait ends; null where only an operator ends it. ${TIME}`, format: 'int64' },
  at: { description: TIME, format: 'int64' },
  usualRunMs: {
    description: 'How long a run usually takes, in milliseconds. Left out while too few have been completed.',
    format: 'int64',
  },

  'KeyActive.key': { description: 'The key: a compact JWS.' },
  step: { description: 'The step that is next.' },
  of: { description: 'How many steps the run has.' },
  reason: { description: 'Why: a rest after strikes, or a block.' },
  'KeyNone.reason': { description: '`zone`: there is a key, but it was earned with another zone.' },

  'KeyIssued.type': { description: 'What happened.' },
  'KeyWithdrawn.type': { description: 'What happened.' },
  'KeyIssued.version': { description: 'The version of this form. Members may be added to it.' },
  'KeyWithdrawn.version': { description: 'The version of this form. Members may be added to it.' },
  timestamp: { description: 'When it happened.', format: 'date-time' },
  data: { description: 'The key that it happened to.' },
  jti: { description: 'The id of the key, its `jti`.' },
  sub: { description: 'The device, hashed as in the key.' },
  src: { description: '`ads`: earned with steps. `plan`: from a paid plan.' },
  issuedAt: { description: `When it began. ${TIME}`, format: 'int64' },
  withdrawnAt: { description: `When it was withdrawn. ${TIME}`, format: 'int64' },
  'KeyIssued.data.app': { description: 'The app that the key is for.' },
  'KeyWithdrawn.data.app': { description: 'The app that the key is for.' },

  'KeyVerdict.valid': { description: 'Whether the code is `VALID`.' },
  'KeyVerdict.code': { description: 'What was found. Only `VALID` opens the app.' },
  'KeyVerdict.expiresAt': { description: `When the key ends; null where it is none of ours. ${TIME}` },
  'KeyVerdict.verdict': { description: 'The same as a compact JWS. Only where a nonce was sent.' },

  'RunState.about': { description: 'What was registered of the app. Left out for the main app and the companion.' },
  'RunState.about.name': { description: 'What visitors read.' },
  'RunState.about.scheme': { description: 'The address that opens the app; null for that of the site.' },
  'RunState.about.colour': { description: 'How the buttons of its pages look.' },
  'RunState.about.advertisers': { description: 'The advertisers of each step, the default first.' },
  'RunState.run': { description: 'The open run of the device, if there is one.' },
  'RunState.key': { description: 'The key of the device, if there is one.' },
  'RunState.plan': { description: 'The paid plan of the device, if there is one. It needs no run.' },
  'RunState.plan.id': { description: 'Which plan.' },
  'RunState.plan.renewable': { description: 'Whether it ends so soon that it can be renewed.' },
  'RunState.plan.until': { description: `When the plan ends. ${TIME}` },
  'RunState.cooldown': { description: 'Why and until when the device has to wait.' },
  'RunState.strikes': { description: 'The strikes that still count. Left out when there are none.' },
  'RunState.strikes.count': { description: 'How many they are. One event may count as two.' },
  'RunState.strikes.codes': { description: 'The codes for which they were given, each once.' },
  'RunState.advertisers': { description: 'Every advertiser of the app, and whether it can be used now.' },
  'RunState.advertisers[].id': { description: 'The advertiser.' },
  'RunState.advertisers[].ok': { description: 'Whether it can be used now.' },
  'RunState.stepsRequired': { description: 'How many steps a new run takes.' },
  'RunState.run.completed': { description: 'The steps that are done.' },
  'RunState.run.completed[].step': { description: 'The step.' },
  'RunState.run.completed[].advertiser': { description: 'Whose page it was.' },
  'RunState.run.completed[].at': { description: `When it was done. ${TIME}` },
  'RunState.run.completed[].proof': { description: 'How the advertiser has confirmed it.' },
  'RunState.run.series': { description: 'Which of its series of steps the run is in.' },
  'RunState.run.waiting': { description: 'Whether the advertiser has still to confirm the step.' },
  'RunState.run.own': { description: 'Whether the browser that asks has begun the run.' },
  'RunState.run.zone': { description: 'How the zone of the call compares with that of the run.' },
  'RunState.key.active': { description: 'Whether it works.' },
  'RunState.key.zone': { description: 'How the zone of the call compares with that of the key.' },
  'RunState.key.renewable': { description: 'Whether it ends so soon that the next run may begin.' },

  'PublicKeys.keys': { description: 'The keys that sign, have signed within the last day, or are to sign next.' },
  'PublicKeys.keys[].kty': { description: 'The kind of key. Source: RFC 8037' },
  'PublicKeys.keys[].crv': { description: 'The curve.' },
  'PublicKeys.keys[].kid': { description: 'Its name, which the header of a key has in `kid`.' },
  'PublicKeys.keys[].x': { description: 'The public key: 32 bytes in base64url.' },
  'PublicKeys.keys[].alg': { description: 'What it signs with.' },
  'PublicKeys.keys[].use': { description: 'What it is for.' },

  'Problem.type': { description: 'The address of the page that explains the code.', format: 'uri' },
  'Problem.title': { description: 'The code in words, for people.' },
  'Problem.status': { description: 'The HTTP status.' },
  'Problem.detail': { description: 'What was wrong in this case.' },
  'Problem.problems': { description: 'Everything that was wrong, a sentence each.' },
  'Problem.supported': { description: 'The versions that there are, where another one was asked for.' },
  'Problem.code': { description: 'For programs. A later server may have others.' },
  'Problem.retryable': { description: 'Whether the same request may succeed later.' },
  'Problem.until': { description: `When to try again. ${TIME}` },
  'Problem.ref': { description: 'The name of this answer in the server’s log.' },
};
