/** The apps that have a logo, a screen and colours. They are also the values of `data-app` in colours.css. */
export const APP_NAMES = ['v5', 'neo', 'v3', 'companion'] as const;

export type AppName = (typeof APP_NAMES)[number];
