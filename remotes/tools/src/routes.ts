/** Path to page. The build writes this table into release.json, the server routes by it. */
export const routes = {
  '/privacy-policy': 'privacy-policy-page',
  '/encrypter': 'encrypter-page',
  '/portfolio': 'portfolio-page',
  '/tiahh': 'portfolio-page',
  '/resetsuccessV5': 'reset-success-page',
  '/developers': 'developers-page',
  '/errors': 'errors-page',
} as const;
