/** The apps that have a mark, a screen and colours of their own; `data-app` in colours.css has the same names. */
export const APP_NAMES = ['v5', 'neo', 'v3', 'companion'] as const;

export type AppName = (typeof APP_NAMES)[number];
