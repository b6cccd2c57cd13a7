import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts about the way from the app. No step of a device loads them. */
export const t = defineWords({ en });
