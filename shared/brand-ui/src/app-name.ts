/** The apps that have colours of their own, by `data-app` in tokens.css. */
export type AppName = 'v5' | 'neo' | 'v3' | 'companion';
