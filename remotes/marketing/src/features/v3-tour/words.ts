import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts about V3 alone. */
export const t = defineWords({ en });
