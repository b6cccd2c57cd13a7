import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts about the facts of an app alone. */
export const t = defineWords({ en });
