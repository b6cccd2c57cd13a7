import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of our own captcha, which come with it. */
export const t = defineWords({ en });
