/** The journeys that Firefox cannot play, by what WebDriver BiDi, or Debian's Firefox, lacks for them. */
const LACKED: Record<string, readonly string[]> = {
  'switching JavaScript off': [
    'without-javascript',
    'key-before-react.* without JavaScript ',
    'languages.* works without JavaScript',
    'tools-developers.* without JavaScript ',
  ],
  'forced colours and reduced motion': [
    'forced-colours',
    'key-moment.* with reduced motion ',
    'key-states.* with reduced motion ',
    'marketing-hero.* with reduced motion ',
    'purchase-toasts.* reduced motion ',
    'tools-portfolio.* with reduced motion ',
  ],
  'the fonts of a text': ['languages.* drawn from one font'],
  'animations by scrolling': ['before-scripts.* beneath the bar '],
  'the bytes of answers': ['key-run-bytes'],
  'the bodies of requests': [
    'canary.* a broken canary shows',
    'key-check.* without being sent',
    'key-gate.spec.* leads through ',
    'languages.* the token of a mail',
    'last-good-version.* the failure is reported',
    'marketing-reset.* travels trimmed',
  ],
  'a lost network, with what the browser has stored': [
    'key-moment.* without a network',
    'key-server-away.* the gate stays ',
  ],
  'sound, on a machine without a device for it': [
    'tools-portfolio.* pause and mute ',
    'tools-portfolio.* ends the music',
  ],
  'the events of sockets': ['first-load.* going back to a document '],
  'a page that comes back as it was left': ['key-gate-run.* back from '],
  'waiting for a page that leads on to another one at once': ['key-zones.* takes the run along'],
  'fingers and mobile screens': ['companion-carousel.* a finger ', 'purchase-toasts.* wide touch screen '],
  'a navigation to an app that is not there': ['key-begin-in-app'],
};

/** As a pattern for Playwright's `grepInvert`. */
export const NOT_IN_FIREFOX = new RegExp(Object.values(LACKED).flat().join('|'));
