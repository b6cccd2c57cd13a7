/** The apps of the product specification. Their steps, addresses and names are in the code. */
export const SPECIFIED_APPS = ['main', 'companion'] as const;
export type SpecifiedApp = (typeof SPECIFIED_APPS)[number];

/** The app with which authors try the whole way. Its only advertiser is a page of ours. */
export const SANDBOX = 'sandbox';

/** The id of an app: one of the specification, or one that operators registered. It is the audience (`aud`) of its keys. */
export type AppId = string;
export const APP_ID_PATTERN = /^[a-z][a-z0-9-]{1,31}$/;

/** How the buttons of an app's pages can look; each is an accent of the design system. */
export const APP_COLOURS = ['red', 'green', 'blue'] as const;
export type AppColour = (typeof APP_COLOURS)[number];

/** The most steps that a run of a registered app takes. */
export const MAX_STEPS = 9;

export const OPERATING_SYSTEMS = ['android', 'android_vng', 'ios', 'windows'] as const;
export type OperatingSystem = (typeof OPERATING_SYSTEMS)[number];
export const DEFAULT_OS: OperatingSystem = 'android';

/** Hours that a key works, counted from the end of its run. */
export const KEY_VALID_HOURS = 24;

export const STEPS_PER_SERIES = 3;

/** The form of a device identifier that apps may send (threat 17). */
export const HWID_PATTERN = /^[A-Za-z0-9._:-]{6,128}$/;

/**
 * Takes away the white space around a device or a zone, which a program adds that reads it from a file or a command. Only
 * that of ASCII: languages do not agree about more, and an app's own check of its key has to come to the same device.
 */
export function trimId(text: string): string {
  return /\P{ASCII}/u.test(text) ? text : text.trim();
}

/** The form of a zone: a token of the app that the pages pass on. */
export const ZONE_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/;

export function isSpecified(app: AppId): app is SpecifiedApp {
  return app === 'main' || app === 'companion';
}

/** Reads a text, in any case, as an operating system. Undefined for any other text. */
export function parseOs(value: string | undefined): OperatingSystem | undefined {
  return OPERATING_SYSTEMS.find((os) => os === value?.toLowerCase());
}
