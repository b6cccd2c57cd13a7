import * as v from 'valibot';

/** Which captcha the site uses: the one it runs itself, or that of a provider, with the operator's site key. */
const captchaSettingsSchema = v.variant('provider', [
  v.object({ provider: v.literal('altcha') }),
  v.object({ provider: v.literal('recaptcha'), siteKey: v.string(), scriptUrl: v.string() }),
]);
export type CaptchaSettings = v.InferOutput<typeof captchaSettingsSchema>;

/** The operator's settings for the pages. The server writes them into the HTML of every page. */
export const siteSettingsSchema = v.object({
  launchUrl: v.string(),
  /** How long a chunk may take before it counts as failed, in milliseconds. */
  chunkTimeoutMs: v.number(),
  /** The address of the content files, which operators change without a deploy. Without a slash at the end. */
  contentUrl: v.optional(v.string(), '/content'),
  /** The address of the same files in the form of a repository's contents API: one file per answer, in base64. */
  contentApiUrl: v.optional(v.string(), '/content-api'),
  /** In which share of the visits a page tells how fast it was. Left out: in one of a hundred. */
  fieldTimingsShare: v.optional(v.number()),
  captcha: v.optional(captchaSettingsSchema, { provider: 'altcha' }),
});
export type SiteSettings = v.InferOutput<typeof siteSettingsSchema>;
